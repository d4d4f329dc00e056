import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsDayOrInstant, IsId } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { Step } from '../../campaigns/index.js';
import { Contact } from '../../contacts/index.js';
import { CursorListQuery } from '../../platform/http/cursors/index.js';
import { sql } from '../../platform/database/index.js';
import { BooleanQuery, changedSince, IntegerQuery } from '../../platform/tenancy/index.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../message.entity.js';

export class MessageListQuery extends CursorListQuery({ sort: ['created_at'] }) {
  /** Only messages with this status. */
  @IsOptional() @IsIn(MESSAGE_STATUSES) status?: MessageStatus;
  /** Only messages to this contact. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Contact) @IsId() contact_id?: number;
  /** Only messages of this step. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Step) @IsId() step_id?: number;
  /** With 1 only messages that were opened, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() opened?: boolean;
  /** With 1 only messages with a clicked link, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() clicked?: boolean;
  /** With 1 only messages with a reply, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() replied?: boolean;
  /**
   * Only messages that have changed since this instant (or the beginning of this day in UTC), included. To follow changes, ask
   * for the time of the request before less five minutes: a change that takes long to be stored has the time at which it began.
   */
  @IsOptional() @IsDayOrInstant() updated_since?: string;

  override *clauses() {
    yield* super.clauses();
    if (this.updated_since !== undefined) yield changedSince(this.updated_since);
    if (this.status) yield sql`record.status = ${this.status}`;
    if (this.contact_id) yield sql`record.contact_id = ${this.contact_id}`;
    if (this.step_id) yield sql`record.step_id = ${this.step_id}`;
    if (this.opened !== undefined) yield sql`(record.opened_at IS NOT NULL) = ${this.opened}::boolean`;
    if (this.clicked !== undefined) yield sql`(record.clicked_at IS NOT NULL) = ${this.clicked}::boolean`;
    if (this.replied !== undefined) yield sql`(record.replied_at IS NOT NULL) = ${this.replied}::boolean`;
  }
}
