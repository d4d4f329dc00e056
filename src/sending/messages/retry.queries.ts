import type { GlobalBlacklist } from '../../blacklist/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lockCampaignWait, NO_WAIT, planAgain, queueAgain, restartFailed } from '../results/index.js';

/** The messages that can be retried. */
export const RETRYABLE_STATUSES = [
  /** All attempts have failed, or a server has refused the content. */
  'failed',
  /** It is unknown whether the mail server has accepted them: the recipients may get them twice. */
  'unknown',
  /** Those that wait for their next attempt, with the reason `temporary_failure`. */
  'queued',
] as const;
export type RetryableStatus = (typeof RETRYABLE_STATUSES)[number];

/** How many messages of the campaign one statement reads, whatever their status is. */
const CHUNK_SIZE = 1_000;

/** The last message that was read, in the order of creation. */
interface RetryCursor {
  readonly created_at: Date;
  readonly id: number;
}

/** What is retried, and what else happens in the transaction of each chunk. */
export interface Retry {
  readonly status: RetryableStatus;
  readonly blacklist: GlobalBlacklist;
  /** Called after messages were queued, under a lock of the campaign. */
  readonly onQueued: (tx: WorkspaceScope) => Promise<void>;
}

interface RetriedChunk {
  readonly count: number;
  /** The accounts that have due messages now. */
  readonly accounts: readonly number[];
  /** Null if this chunk has the last message, so that its transaction is the last one. */
  readonly cursor: RetryCursor | null;
}

/**
 * Queues the messages of a campaign that have a status, in chunks that are committed one by one, so that their locks are
 * short. If a call is aborted, some messages are queued, and repeating it queues the rest.
 * @returns how many, and the accounts that send them
 */
export async function retryAll(
  scope: WorkspaceScope,
  campaignId: number,
  retry: Retry,
): Promise<{ count: number; accounts: number[] }> {
  let count = 0;
  const accounts = new Set<number>();
  let cursor: RetryCursor | null = { created_at: new Date(0), id: 0 };
  while (cursor) {
    await scope.commitChunk();
    const from: RetryCursor = cursor;
    const chunk = await scope.transaction((tx) => retryChunk(tx, campaignId, retry, from));
    count += chunk.count;
    for (const id of chunk.accounts) accounts.add(id);
    cursor = chunk.cursor;
  }
  return { count, accounts: [...accounts] };
}

/**
 * Conditions on a message, its contact and its enrollment: the contact may be written to, the enrollment is at this step
 * and has not ended for another reason, and no other account would send what may be the second copy. For an answer to a
 * reply the enrollment does not matter, and no other account sends it.
 */
const mayBeSent = (scope: WorkspaceScope, blacklist: GlobalBlacklist): Sql => sql`
  contact.status = 'active' AND CASE WHEN message.reply_id IS NOT NULL THEN message.email_account_id IS NOT NULL ELSE
    enrollment.current_step_id = message.step_id
    AND (enrollment.status IN ('pending', 'in_progress') OR (enrollment.status = 'failed' AND message.status = 'failed'))
    AND (message.email_account_id IS NOT NULL OR message.uncertain_attempts = 0) END
  AND NOT ${blacklist.isListed(scope, sql`contact.email`)}`;

/** Locks the accounts of the workspace against deletion: no message is queued for one that does not exist any more. */
const lockAccounts = (tx: WorkspaceScope): Promise<unknown> =>
  tx.query(sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${tx} ORDER BY id FOR KEY SHARE`);

/**
 * Queues one message again of which it is unknown whether the server accepted it.
 * @returns its account; undefined if its status is another one, or its account or its step was deleted
 */
export async function retryUnknown(tx: WorkspaceScope, id: number, campaignId: number): Promise<number | undefined> {
  await tx.query(sql`SELECT 1 FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} FOR KEY SHARE`);
  await lockAccounts(tx);
  const which = sql`DELETE FROM messages message
    WHERE message.workspace_id = ${tx} AND message.id = ${id} AND message.status = 'unknown'
      AND message.email_account_id IS NOT NULL AND (message.step_id IS NOT NULL OR message.reply_id IS NOT NULL)
    RETURNING message.*`;
  const [queued] = await tx.inParts<{ email_account_id: number }>(
    queueAgain(tx, which, NO_WAIT),
    sql`SELECT email_account_id FROM queued`,
  );
  return queued?.email_account_id;
}

async function retryChunk(
  tx: WorkspaceScope,
  campaignId: number,
  { status, blacklist, onQueued }: Retry,
  from: RetryCursor,
): Promise<RetriedChunk> {
  const wait = await lockCampaignWait(tx, campaignId);
  await lockAccounts(tx);
  const which = sql`DELETE FROM messages message USING chunk
    JOIN contacts contact ON contact.workspace_id = ${tx} AND contact.id = chunk.contact_id
    JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = chunk.enrollment_id
    WHERE message.workspace_id = ${tx} AND message.id = chunk.id AND message.status = ${status}
      AND ${mayBeSent(tx, blacklist)} RETURNING message.*`;
  const messages = {
    name: 'chunk',
    statement: sql`SELECT id, created_at, contact_id, enrollment_id FROM messages
      WHERE workspace_id = ${tx} AND campaign_id = ${campaignId}
        AND (created_at, id) > (${from.created_at}::timestamptz, ${from.id}::bigint)
      ORDER BY created_at, id LIMIT ${CHUNK_SIZE}`,
    columns: sql`id bigint, created_at timestamptz, contact_id bigint, enrollment_id bigint`,
  };
  const [chunk] = await tx.inParts<{
    ids: number[];
    accounts: number[];
    detached: number[];
    cursor: RetryCursor | null;
  }>(
    [messages, ...queueAgain(tx, which, wait), restartFailed(tx)],
    sql`SELECT coalesce((SELECT array_agg(id) FROM queued), '{}') AS ids,
          coalesce((SELECT array_agg(DISTINCT email_account_id) FROM queued
            WHERE email_account_id IS NOT NULL), '{}') AS accounts,
          coalesce((SELECT array_agg(id) FROM queued WHERE email_account_id IS NULL), '{}') AS detached,
          (SELECT jsonb_build_object('created_at', created_at, 'id', id) FROM chunk
           ORDER BY created_at, id OFFSET ${CHUNK_SIZE - 1}) AS cursor`,
  );
  if (!chunk) throw new Error('The statement returned no row.');
  if (chunk.detached.length > 0) await planAgain(tx, sql`message.id = ANY(${chunk.detached}::bigint[])`);
  if (chunk.ids.length > 0) await onQueued(tx);
  return { count: chunk.ids.length, accounts: chunk.accounts.map(Number), cursor: chunk.cursor };
}
