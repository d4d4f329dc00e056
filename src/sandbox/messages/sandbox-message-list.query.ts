import { IsOptional, IsString, MaxLength } from 'class-validator';
import { normalizeEmail } from '@outreach/email-addresses';
import { IsId } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { Campaign } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { CursorListQuery } from '../../platform/http/cursors/index.js';
import { IntegerQuery } from '../../platform/tenancy/index.js';

const MAX_ADDRESS_LENGTH = 320;

export class SandboxMessageListQuery extends CursorListQuery({
  sort: ['created_at'],
  search: ['to_address', 'subject'],
}) {
  /** Only messages to this address, in capital or small letters. */
  @IsOptional() @MaxLength(MAX_ADDRESS_LENGTH) @IsString() to?: string;
  /** Only messages of this campaign. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Campaign) @IsId() campaign_id?: number;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.to !== undefined) yield sql`record.to_address = ${normalizeEmail(this.to.trim())}`;
    if (this.campaign_id) yield sql`record.campaign_id = ${this.campaign_id}`;
  }
}
