import { IsIn, IsOptional } from 'class-validator';
import { ListQuery } from '../../platform/tenancy/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

export class BlacklistListQuery extends ListQuery({
  sort: ['created_at', 'email', 'reason'],
  search: ['email'],
  perPage: 15,
  enums: { reason: BLACKLIST_REASONS },
  filters: ['reason'],
}) {
  /** Only entries with this reason. */
  @IsOptional() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason;
}
