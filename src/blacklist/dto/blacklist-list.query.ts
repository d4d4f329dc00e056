import { IsIn, IsOptional } from 'class-validator';
import { type Sql, sql } from '../../platform/database/index.js';
import { ListQuery } from '../../platform/tenancy/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

export class BlacklistListQuery extends ListQuery({
  sort: ['created_at', 'email', 'reason'],
  search: ['email'],
  perPage: 15,
  enums: { reason: BLACKLIST_REASONS },
}) {
  /** Only entries with this reason. */
  @IsOptional() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.reason !== undefined) yield sql`record.reason = ${this.reason}`;
  }
}
