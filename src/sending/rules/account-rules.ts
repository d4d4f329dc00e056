import type { TimingRule } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { EstimatedSend } from './rule.js';
import { type FactsOf, rulesOf, type WaitReason } from './rules.js';

const ACCOUNT_RULES = rulesOf('account');
const RESERVATIONS = ACCOUNT_RULES.flatMap(({ reservation }) => reservation ?? []);

export type AccountFacts = FactsOf<'account'> & {
  readonly id: number;
  /** The time of the database at which these values were read. */
  readonly read_at: Date;
};

export const accountFacts = (scope: WorkspaceScope): Sql =>
  sql`account.id, ${sql.join(ACCOUNT_RULES.map((rule) => rule.columns(scope)))}, ${scope.now} AS read_at`;

/** The rules of an account. */
export const accountRules = (account: AccountFacts): TimingRule<WaitReason>[] =>
  ACCOUNT_RULES.flatMap((rule) => rule.timing(account) ?? []);

/** The rules for which all due messages of an account are postponed. The others leave them due. */
export const postponingRules = (account: AccountFacts): TimingRule<WaitReason>[] =>
  ACCOUNT_RULES.filter((rule) => !rule.blockedUntil).flatMap((rule) => rule.timing(account) ?? []);

/** SQL expression: until when the row `account` sends nothing although its messages are due; null if it may send. */
export const blockedUntil = sql`greatest(${sql.join(ACCOUNT_RULES.flatMap((rule) => rule.blockedUntil ?? []))})`;

/** SQL condition: the row `account` sends nothing now although its messages are due. */
export const isBlocked = (now: Sql): Sql => sql`coalesce(${blockedUntil} > ${now}, FALSE)`;

/** Whether messages of the account that are on their way may end a wait for this reason. */
export const isRefunded = (reason: string): boolean =>
  ACCOUNT_RULES.some((rule) => rule.reason === reason && rule.isRefunded);

/** How many messages of an account one claim may take. */
export const claimSize = (account: AccountFacts): number =>
  Math.min(...ACCOUNT_RULES.map((rule) => rule.claimSize?.(account, account.read_at) ?? Infinity));

/** Returns the reason why a locked account that no rule postpones may not begin a message; null if it may. */
export async function blockingReason(tx: WorkspaceScope, account: AccountFacts): Promise<WaitReason | null> {
  for (const rule of ACCOUNT_RULES) if (rule.mayBegin && !(await rule.mayBegin(tx, account))) return rule.reason;
  return null;
}

/** The reasons of the rules that bind a message of an account from its claim to its result. */
export const boundBy = (account: AccountFacts): WaitReason[] =>
  ACCOUNT_RULES.filter(({ binding }) => binding?.isBound(account)).map(({ reason }) => reason);

/** The day for which the next message of a locked account is reserved, as `YYYY-MM-DD`. */
export const reservedOn = (account: AccountFacts): string | null =>
  RESERVATIONS.map(({ dayOf }) => dayOf(account, account.read_at))[0] ?? null;

/** Whether a message that is reserved for a day may be sent at an instant. */
export const isReservedFor = (day: string | null, at: Date): boolean =>
  RESERVATIONS.every(({ isFor }) => isFor(day, at));

/**
 * Notes that accounts have sent messages, or may have.
 * @param bound the rules that bind the messages; all if that is not known
 */
export async function noteSent(
  scope: WorkspaceScope,
  accountIds: readonly number[],
  bound?: readonly WaitReason[],
): Promise<void> {
  for (const { reason, binding } of ACCOUNT_RULES)
    if (bound?.includes(reason) ?? true) await binding?.noteSent(scope, accountIds);
}

/** The same as assignments in the UPDATE of `account`. */
export const noteUncertain = (mayBeSent: Sql, now: Sql): Sql =>
  sql.join(ACCOUNT_RULES.flatMap(({ binding }) => binding?.noteUncertain(mayBeSent, now) ?? []));

/** Assignments that return messages, in the UPDATE of `account`. */
export const refund = (messages: Sql): Sql => sql.join(RESERVATIONS.map((reservation) => reservation.refund(messages)));

/** SQL condition on `account`: what was reserved for a day can be returned. */
export const isRefundable = (day: Sql): Sql =>
  sql.join(
    RESERVATIONS.map(({ isCounted }) => isCounted(day)),
    ' AND ',
  );

/** SQL condition on the row `account`: it sends its messages one by one, so that others wait for those before them. */
export const isOneByOne = sql`(${sql.join(
  ACCOUNT_RULES.flatMap((rule) => rule.isOneByOne ?? []),
  ' OR ',
)})`;

/** SQL expression: the reason why `waiting`, a due message of `account`, waits although its row does not say so; or null. */
export const unstoredReason = (scope: WorkspaceScope): Sql =>
  sql`CASE ${sql.join(
    ACCOUNT_RULES.flatMap(({ reason, blocksDue }) =>
      blocksDue ? [sql`WHEN ${blocksDue(scope)} THEN ${reason}::text`] : [],
    ),
    ' ',
  )} END`;

/** Sentences for the reasons why an account may not send a test. */
export const TEST_REFUSALS: Readonly<Record<string, string>> = Object.fromEntries(
  ACCOUNT_RULES.flatMap(({ reason, refusal }) => (refusal === undefined ? [] : [[reason, refusal]])),
);

/** Assignments that reserve so many messages, in the UPDATE of the locked row `account`. */
export const reservations = (scope: WorkspaceScope, account: AccountFacts, messages: number): Sql =>
  sql.join(RESERVATIONS.map(({ assign }) => assign(scope, account, messages)));

const ESTIMATES = ACCOUNT_RULES.flatMap((rule) => rule.estimate ?? []);

/** How many messages a simulated account may send at an instant that its rules allow, or soon after. */
export const simulatedCapacity = (account: AccountFacts, at: Date): number =>
  Math.min(...ESTIMATES.map((estimate) => estimate.capacity(account, at)));

/** Returns a simulated account after messages were sent from it. */
export const afterSending = (account: AccountFacts, sent: EstimatedSend): AccountFacts =>
  ESTIMATES.reduce((after, estimate) => ({ ...after, ...estimate.after(account, sent) }), account);

/** The milliseconds from one message of a simulated account to the next. */
export const simulatedInterval = (account: AccountFacts): number =>
  Math.max(0, ...ESTIMATES.map((estimate) => estimate.interval?.(account) ?? 0));

/** Compares simulated accounts by their limits. */
export const compareAccounts = (a: AccountFacts, b: AccountFacts): number =>
  ESTIMATES.map(({ size }) => (size ? size(a) - size(b) : 0)).find((difference) => difference !== 0) ?? 0;

/** Returns one simulated account with the limits of two. */
export const addAccounts = (a: AccountFacts, b: AccountFacts): AccountFacts =>
  ESTIMATES.reduce((both, estimate) => ({ ...both, ...estimate.ofBoth(a, b) }), a);
