import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { TimingRule } from './earliest-instant.js';
import type { EstimatedSend } from './rule.js';
import { type FactsOf, rulesOf, type WaitReason } from './rules.js';

const ACCOUNT_RULES = rulesOf('account');

/** What decides when an email account may send. */
export type AccountFacts = FactsOf<'account'> & {
  readonly id: number;
  /** The time of the database at which these values were read. */
  readonly read_at: Date;
};

/** SELECT expressions of {@link AccountFacts} on the row `account`. */
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

/** Whether a locked account that no rule postpones may begin a message. */
export async function mayBegin(tx: WorkspaceScope, account: AccountFacts): Promise<boolean> {
  for (const rule of ACCOUNT_RULES) if (rule.mayBegin && !(await rule.mayBegin(tx, account))) return false;
  return true;
}

/** Assignments that reserve so many messages, in the UPDATE of the locked row `account`. */
export const reservations = (scope: WorkspaceScope, account: AccountFacts, messages: number): Sql =>
  sql.join(ACCOUNT_RULES.flatMap((rule) => rule.reserve?.(scope, account, messages) ?? []));

const ESTIMATES = ACCOUNT_RULES.flatMap((rule) => rule.estimate ?? []);

/** How many messages a simulated account may send at an instant that its rules allow, or soon after. */
export const simulatedCapacity = (account: AccountFacts, at: Date): number =>
  Math.min(...ESTIMATES.map((estimate) => estimate.capacity(account, at)));

/** Returns a simulated account after messages were sent from it. */
export const afterSending = (account: AccountFacts, sent: EstimatedSend): AccountFacts =>
  ESTIMATES.reduce((after, estimate) => ({ ...after, ...estimate.after(account, sent) }), account);

/** Returns one simulated account with the limits of two. */
export const addAccounts = (a: AccountFacts, b: AccountFacts): AccountFacts =>
  ESTIMATES.reduce((both, estimate) => ({ ...both, ...estimate.ofBoth(a, b) }), a);
