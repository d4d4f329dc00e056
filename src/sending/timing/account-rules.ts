import { notBefore, type SendingRule } from '../../campaigns/index.js';
import { sentTodayOf } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** What decides when an email account may send. */
export interface AccountFacts {
  readonly id: number;
  readonly is_active: boolean;
  /** Until then it waits because of a limit of its provider. */
  readonly limited_until: Date | null;
  readonly daily_limit: number;
  /** Sent or reserved on the day of `read_at`, in UTC. */
  readonly sent_today: number;
  /** The time of the database at which these values were read. */
  readonly read_at: Date;
}

/** SELECT expressions of {@link AccountFacts} on the row `account`. */
export const accountFacts = (scope: WorkspaceScope): Sql => sql`account.id, account.is_active, account.limited_until,
  account.daily_limit, ${sentTodayOf(scope, 'account')} AS sent_today, ${scope.now} AS read_at`;

/** The only list of the limits of an account. Each limit is a pure rule. */
export const accountRules = (account: AccountFacts): SendingRule[] => [
  ...(account.is_active ? [] : [NO_ACCOUNT]),
  ...(account.limited_until ? [notBefore('provider_limit', account.limited_until)] : []),
  ...(account.sent_today < account.daily_limit ? [] : [notBefore('daily_limit', nextUtcDay(account.read_at))]),
];

/** Nothing can be sent until the account is switched on, or the campaign gets one. */
export const NO_ACCOUNT: SendingRule = notBefore('account_inactive', null);

/** The next midnight in UTC, when the next day of the daily limits begins. */
const nextUtcDay = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + 1));
