import { IsIn, IsOptional } from 'class-validator';
import { Step } from '../../campaigns/index.js';
import { Contact } from '../../contacts/index.js';
import { IsId, RefersTo } from '../../platform/http/index.js';
import { sql } from '../../platform/database/index.js';
import { IntegerQuery, ListQuery } from '../../platform/tenancy/index.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../message.entity.js';

export class MessageListQuery extends ListQuery({ sort: ['created_at'] }) {
  @IsOptional() @IsIn(MESSAGE_STATUSES) status?: MessageStatus;
  @IsOptional() @IntegerQuery() @RefersTo(() => Contact) @IsId() contact_id?: number;
  @IsOptional() @IntegerQuery() @RefersTo(() => Step) @IsId() step_id?: number;

  override *clauses() {
    yield* super.clauses();
    if (this.status) yield sql`record.status = ${this.status}`;
    if (this.contact_id) yield sql`record.contact_id = ${this.contact_id}`;
    if (this.step_id) yield sql`record.step_id = ${this.step_id}`;
  }
}
