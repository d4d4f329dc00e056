import type { StatementPart } from '@outreach/database';
import { type EarliestInstant, earliestInstant } from '@outreach/time-windows';
import { isOnlyWorker, LEASE_SECONDS } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MailSource } from '../composing/index.js';
import { cancelWithoutStep } from '../results/index.js';
import { isLeasedByOther, leaseAssignments } from '../account-leases.queries.js';
import {
  type AccountFacts,
  accountFacts,
  boundBy,
  type CampaignFacts,
  campaignFacts,
  claimedFacts,
  claimSize,
  type ContactFacts,
  blockingReason,
  isRefunded,
  isSending,
  postponingRules,
  reservations,
  reservedOn,
  type WaitReason,
} from '../rules/index.js';
import { mayTrackContact } from '../tracking-consent.queries.js';

/** A queued message that this worker has claimed, with everything that is needed to compose and send it. */
export interface ClaimedMessage extends MailSource, CampaignFacts, ContactFacts {
  readonly contact_id: number;
  /** The reply that it answers; null for the message of a step. */
  readonly reply_id: number | null;
  /** Attempts before this one. */
  readonly attempts: number;
  /** Those of them after which it was unknown whether the server had accepted it. */
  readonly uncertain_attempts: number;
  /** The day (UTC) for which its account has reserved it, as `YYYY-MM-DD`. */
  readonly reserved_on: string;
  /** The reasons of the rules of its account that bind it until its result. */
  readonly bound_by: readonly WaitReason[];
  /** Of the messages to its contact, one is checked at a time. */
  readonly checks_one_by_one: boolean;
}

/**
 * The claimed messages, also if all were cancelled; `none` if nothing is due, if the account may not send now, or if another
 * worker has leased it or another transaction has locked it.
 */
export type ClaimResult =
  | {
      readonly kind: 'claimed';
      readonly messages: readonly ClaimedMessage[];
      /** No other worker could send them. */
      readonly is_only_worker: boolean;
    }
  | { readonly kind: 'none' };

const NONE = { kind: 'none' } as const;

/**
 * Claims queued messages of an account, at most `limit` and what is left of its daily limit, and reserves their number
 * in the same transaction. The row of the account is locked, so that all workers together respect the daily limit. If the
 * account may not send now, all its due messages wait until it may. If its daily limit is used up by messages that are on
 * their way, nothing is changed: one that is refused returns its place, and the next claim finds it. With a gap it claims one
 * message, and only if no other one is on its way; what waits for the gap is not changed. The claim leases the
 * account, so that other workers leave it alone for some seconds.
 */
export function claim(scope: WorkspaceScope, accountId: number, worker: string, limit: number): Promise<ClaimResult> {
  return scope.transaction(async (tx) => {
    const account = await lockFreeAccount(tx, accountId);
    if (!account) return NONE;
    const earliest = earliestInstant(account.read_at, postponingRules(account));
    if (earliest.reason !== null) {
      const mayEnd = isRefunded(earliest.reason) && (await isSending(tx, accountId));
      return mayEnd ? NONE : postponeDue(tx, accountId, earliest);
    }
    if ((await blockingReason(tx, account)) !== null) return NONE;
    const ids = await lease(tx, account, worker, Math.min(limit, claimSize(account)));
    if (ids.length === 0) return NONE;
    await reserve(tx, account, ids.length, worker);
    const messages = await claimedMessages(tx, ids);
    const bound = boundBy(account);
    const found = new Set(messages.map(({ id }) => id));
    await cancelWithoutStep(
      tx,
      ids.filter((id) => !found.has(id)),
    );
    return {
      kind: 'claimed',
      messages: messages.map((each) => ({ ...each, bound_by: bound })),
      is_only_worker: account.is_only_worker,
    };
  });
}

type LockedAccount = AccountFacts & {
  /** There is no other worker. */
  readonly is_only_worker: boolean;
};

/** Locks the row of an account until the transaction ends, so that its limits hold for all workers and requests together. */
export function lockSendingAccount(tx: WorkspaceScope, accountId: number): Promise<LockedAccount | undefined> {
  return selectAccount(tx, accountId, sql`FOR NO KEY UPDATE`);
}

/**
 * Like {@link lockSendingAccount}, but returns nothing while another worker has leased the account or another transaction has
 * locked it.
 */
function lockFreeAccount(tx: WorkspaceScope, accountId: number): Promise<LockedAccount | undefined> {
  return selectAccount(tx, accountId, sql`AND NOT ${isLeasedByOther} FOR NO KEY UPDATE SKIP LOCKED`);
}

async function selectAccount(tx: WorkspaceScope, accountId: number, locked: Sql): Promise<LockedAccount | undefined> {
  return tx.queryOne<LockedAccount>(
    sql`SELECT ${accountFacts(tx)}, ${isOnlyWorker} AS is_only_worker FROM email_accounts account
        WHERE account.workspace_id = ${tx} AND account.id = ${accountId} ${locked}`,
  );
}

/**
 * A separate statement, so that its snapshot includes what the lock waited for. A CTE selects the rows, because a
 * sub-select inside a join may run more than once, and its LIMIT applies to each run. They are an array, because the planner,
 * which expects few rows in a queue, would compare each row of the queue with each of them.
 */
async function lease(scope: WorkspaceScope, account: AccountFacts, worker: string, limit: number): Promise<number[]> {
  const { parts, last } = readyToLease(scope, account, worker, limit);
  const rows = await scope.inParts<{ id: number }>(parts, last);
  return rows.map(({ id }) => id);
}

/** The statement that leases the messages of an account that are due, at most `limit` of them. */
export function readyToLease(
  scope: WorkspaceScope,
  account: AccountFacts,
  worker: string,
  limit: number,
): { parts: StatementPart[]; last: Sql } {
  const day = reservedOn(account);
  const leased = {
    name: 'leased',
    with: sql`ready AS MATERIALIZED (
        SELECT id FROM queued_messages
        WHERE workspace_id = ${scope} AND email_account_id = ${account.id}
          AND status = 'queued' AND lease_until IS NULL AND next_attempt_at <= ${scope.now}
        ORDER BY next_attempt_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )`,
    statement: sql`UPDATE queued_messages message SET leased_by = ${worker}, reserved_on = ${day}, reason = NULL,
        updated_at = ${scope.now}, lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
      WHERE message.workspace_id = ${scope} AND message.id = ANY (ARRAY(SELECT ready.id FROM ready)) RETURNING message.id`,
    columns: sql`id bigint`,
  };
  const listed = {
    name: 'listed',
    statement: sql`INSERT INTO message_claims (workspace_id, claimed_by, message_ids)
      SELECT ${scope}, ${worker}, array_agg(id) FROM leased HAVING count(*) > 0`,
  };
  return { parts: [leased, listed], last: sql`SELECT id FROM leased` };
}

/** Reserves messages in the limits of an account, whose row is locked. @param worker leases the account in the same UPDATE */
export async function reserve(
  scope: WorkspaceScope,
  account: AccountFacts,
  messages: number,
  worker?: string,
): Promise<void> {
  const lease = worker === undefined ? sql`` : sql`, ${leaseAssignments(worker)}`;
  await scope.execute(
    sql`UPDATE email_accounts account SET ${reservations(scope, account, messages)}, last_used_at = ${scope.now}${lease}
        WHERE account.workspace_id = ${scope} AND account.id = ${account.id}`,
  );
}

/** Postpones all due messages, until the account may send or changes. Those whose step was deleted meanwhile are cancelled. */
async function postponeDue(
  scope: WorkspaceScope,
  accountId: number,
  { at, reason }: EarliestInstant,
): Promise<ClaimResult> {
  const stepless = await scope.query<{ id: number }>(
    sql`WITH postponed AS (
          UPDATE queued_messages SET reason = ${reason}, next_attempt_at = coalesce(${at}::timestamptz, 'infinity'),
            updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND email_account_id = ${accountId}
            AND status = 'queued' AND lease_until IS NULL AND next_attempt_at <= ${scope.now}
          RETURNING id, step_id
        )
        SELECT id FROM postponed WHERE step_id IS NULL`,
  );
  await cancelWithoutStep(
    scope,
    stepless.map(({ id }) => id),
  );
  return NONE;
}

/**
 * Reads the body of each step and of each variant once, with its first message, because it may have 256 KB; its messages share
 * it.
 */
async function claimedMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
): Promise<Omit<ClaimedMessage, 'bound_by'>[]> {
  const rows = await scope.query<
    Omit<ClaimedMessage, 'body' | 'bound_by'> & { readonly body: string | null; readonly variant_id: number | null }
  >(
    sql`SELECT message.id, message.campaign_id, message.enrollment_id, message.contact_id, message.step_id, message.reply_id,
          message.attempts, message.uncertain_attempts, message.message_id, message.reserved_on::text AS reserved_on,
          coalesce(step.position > 1, FALSE) AS is_follow_up, to_jsonb(contact) - 'search_text' AS contact,
          content.to_address, coalesce(variant.subject, step.subject, content.subject) AS subject,
          CASE WHEN message.step_id IS NULL THEN content.body WHEN row_number() OVER (PARTITION BY message.step_id, variant.id
            ORDER BY message.next_attempt_at, message.id) = 1
            THEN coalesce(variant.body, step.body) END AS body, variant.id AS variant_id,
          ${campaignFacts}, ${claimedFacts(scope)}, campaign.unsubscribe_footer, campaign.language, campaign.track_opens,
          campaign.track_clicks,
          ${mayTrackContact(scope, 'contact')} AS may_track,
          CASE WHEN content.message_id IS NOT NULL THEN content.thread WHEN step.same_thread THEN coalesce((
            SELECT array_agg(earlier.message_id ORDER BY earlier.sent_at, earlier.id) FROM all_messages earlier
            WHERE earlier.workspace_id = ${scope} AND earlier.enrollment_id = message.enrollment_id
              AND earlier.sent_at IS NOT NULL AND earlier.id <> message.id), '{}') ELSE '{}' END AS thread
        FROM queued_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        LEFT JOIN campaign_steps step ON step.workspace_id = ${scope} AND step.id = message.step_id
        LEFT JOIN step_variants variant ON variant.workspace_id = ${scope} AND variant.id = message.variant_id
          AND variant.step_id = message.step_id
        LEFT JOIN message_contents content ON content.workspace_id = ${scope} AND content.message_id = message.id
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = message.campaign_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND (step.id IS NOT NULL OR content.message_id IS NOT NULL)
        ORDER BY message.next_attempt_at, message.id`.prepared(),
  );
  const bodies = new Map(rows.flatMap((row) => (row.body === null ? [] : [[textOf(row), row.body] as const])));
  return rows.map((row) => ({ ...row, body: row.body ?? bodies.get(textOf(row)) ?? '' }));
}

/** The key of a text that messages share: of a step, or of one of its variants. */
const textOf = (row: { readonly step_id: number | null; readonly variant_id: number | null }): string =>
  `${row.step_id}-${row.variant_id}`;
