import { dailyLimit, minSecondsBetween, notBefore, type SendingRule } from '../../campaigns/index.js';
import type { DailyLimit, Gap } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** What decides when an email account may send. */
export interface AccountFacts extends DailyLimit, Gap {
  readonly id: number;
  readonly is_active: boolean;
  /** Until then it waits because of a limit of its provider. */
  readonly limited_until: Date | null;
  /** The time of the database at which these values were read. */
  readonly read_at: Date;
}

/** SELECT expressions of {@link AccountFacts} on the row `account`. */
export const accountFacts = (scope: WorkspaceScope): Sql => sql`account.id, account.is_active, account.limited_until,
  account.daily_limit, account.ramp_start, account.ramp_per_day, account.ramp_started_on::text AS ramp_started_on,
  account.ramp_days, account.counted_on::text AS counted_on, account.sent_count, account.min_seconds_between,
  account.gap_begins_at, account.gap_random_part, ${scope.now} AS read_at`;

/** The only list of the limits of an account. Each limit is a pure rule. */
export const accountRules = (account: AccountFacts): SendingRule[] => [
  ...postponingRules(account),
  minSecondsBetween(account),
];

/** The limits for which all due messages of an account are postponed. Those that wait for the gap only are not changed. */
export const postponingRules = (account: AccountFacts): SendingRule[] => [
  ...(account.is_active ? [] : [NO_ACCOUNT]),
  ...(account.limited_until ? [notBefore('provider_limit', account.limited_until)] : []),
  dailyLimit(account),
];

/** Nothing can be sent until the account is switched on, or the campaign gets one. */
export const NO_ACCOUNT: SendingRule = notBefore('account_inactive', null);
