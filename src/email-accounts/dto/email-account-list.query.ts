import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import type { Sql } from '../../platform/database/index.js';
import { BooleanQuery, ListQuery, type WorkspaceScope } from '../../platform/tenancy/index.js';
import type { EmailAccountType } from '../providers/provider-names.js';
import { ACCOUNT_TYPES } from '../providers/providers.js';
import { sentToday } from '../email-accounts.queries.js';

export class EmailAccountListQuery extends ListQuery({
  sort: [
    'created_at',
    'updated_at',
    'name',
    'from_email',
    'type',
    'is_default',
    'is_active',
    'daily_limit',
    'sent_today',
    'last_used_at',
  ],
  search: ['name', 'from_email', 'from_name'],
  perPage: 15,
  enums: { type: ACCOUNT_TYPES },
  filters: ['type', 'is_active', 'is_default'],
}) {
  /** Only accounts of this type. */
  @IsOptional() @IsIn(ACCOUNT_TYPES) type?: EmailAccountType;
  /** With 1 only active accounts, with 0 only the others. */
  @IsOptional() @BooleanQuery() @IsBoolean() is_active?: boolean;
  /** With 1 only the default account, with 0 only the others. */
  @IsOptional() @BooleanQuery() @IsBoolean() is_default?: boolean;

  #scope?: WorkspaceScope;

  /** Sets the workspace, whose time decides which day is today. @returns this query */
  in(scope: WorkspaceScope): this {
    this.#scope = scope;
    return this;
  }

  override get computedSort(): Sql | undefined {
    return this.sort === 'sent_today' && this.#scope ? sentToday(this.#scope) : undefined;
  }
}
