import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lockCampaignWait, planAgain } from '../results/index.js';

/** The statuses of messages that users may retry. */
export const RETRYABLE_STATUSES = ['failed', 'unknown'] as const;
export type RetryableStatus = (typeof RETRYABLE_STATUSES)[number];

/** How many messages of the campaign one statement reads, whatever their status is. */
const CHUNK_SIZE = 1_000;

/** The last message that was read, in the order of creation. */
interface RetryCursor {
  readonly created_at: Date;
  readonly id: number;
}

interface RetriedChunk {
  readonly count: number;
  /** The accounts that have due messages now. */
  readonly accounts: readonly number[];
  /** Null after the last message. */
  readonly cursor: RetryCursor | null;
}

/**
 * Queues the messages of a campaign that have a status, in chunks of one transaction each.
 * @returns how many, and the accounts that send them
 */
export async function retryAll(
  scope: WorkspaceScope,
  campaignId: number,
  status: RetryableStatus,
): Promise<{ count: number; accounts: number[] }> {
  let count = 0;
  const accounts = new Set<number>();
  let cursor: RetryCursor | null = { created_at: new Date(0), id: 0 };
  while (cursor) {
    const from: RetryCursor = cursor;
    const chunk = await scope.transaction((tx) => retryChunk(tx, campaignId, status, from));
    count += chunk.count;
    for (const id of chunk.accounts) accounts.add(id);
    cursor = chunk.cursor;
  }
  return { count, accounts: [...accounts] };
}

/**
 * Conditions on a message, its contact and its enrollment: the contact may be written to, the enrollment is at this step
 * and has not ended for another reason, and no other account would send what may be the second copy.
 */
const mayBeSent = (scope: WorkspaceScope): Sql => sql`
  contact.status = 'active' AND enrollment.current_step_id = message.step_id
  AND (enrollment.status IN ('pending', 'in_progress') OR (enrollment.status = 'failed' AND message.status = 'failed'))
  AND (message.email_account_id IS NOT NULL OR message.uncertain_attempts = 0)
  AND NOT EXISTS (SELECT 1 FROM ${scope.crossTenant} blacklist_entries entry WHERE entry.email = contact.email)`;

async function retryChunk(
  tx: WorkspaceScope,
  campaignId: number,
  status: RetryableStatus,
  from: RetryCursor,
): Promise<RetriedChunk> {
  const wait = await lockCampaignWait(tx, campaignId, new Date());
  const [chunk] = await tx.query<{ ids: number[]; accounts: number[]; detached: number[]; cursor: RetryCursor | null }>(
    sql`WITH chunk AS MATERIALIZED (
          SELECT * FROM messages
          WHERE workspace_id = ${tx} AND campaign_id = ${campaignId}
            AND (created_at, id) > (${from.created_at}::timestamptz, ${from.id}::bigint)
          ORDER BY created_at, id LIMIT ${CHUNK_SIZE}
        ), queued AS (
          UPDATE messages message SET status = 'queued', reason = ${wait.reason}, next_attempt_at = ${wait.until},
            attempts = CASE WHEN message.status = 'failed' THEN 0 ELSE message.attempts END, updated_at = now()
          FROM chunk
          JOIN contacts contact ON contact.workspace_id = ${tx} AND contact.id = chunk.contact_id
          JOIN enrollments enrollment ON enrollment.workspace_id = ${tx} AND enrollment.id = chunk.enrollment_id
          WHERE message.workspace_id = ${tx} AND message.id = chunk.id AND message.status = ${status}
            AND ${mayBeSent(tx)}
          RETURNING message.id, message.enrollment_id, message.email_account_id
        ), running AS (
          UPDATE enrollments enrollment SET updated_at = now(), status = CASE WHEN EXISTS (
              SELECT 1 FROM messages earlier WHERE earlier.workspace_id = ${tx}
                AND earlier.enrollment_id = enrollment.id AND earlier.sent_at IS NOT NULL) THEN 'in_progress' ELSE 'pending' END
          FROM queued WHERE enrollment.workspace_id = ${tx} AND enrollment.id = queued.enrollment_id
            AND enrollment.status = 'failed'
        )
        SELECT coalesce((SELECT array_agg(id) FROM queued), '{}') AS ids,
          coalesce((SELECT array_agg(DISTINCT email_account_id) FROM queued WHERE email_account_id IS NOT NULL), '{}') AS accounts,
          coalesce((SELECT array_agg(id) FROM queued WHERE email_account_id IS NULL), '{}') AS detached,
          (SELECT jsonb_build_object('created_at', created_at, 'id', id) FROM chunk
           ORDER BY created_at DESC, id DESC LIMIT 1) AS cursor`,
  );
  if (!chunk) throw new Error('The statement returned no row.');
  if (chunk.detached.length > 0) await planAgain(tx, sql`message.id = ANY(${chunk.detached}::bigint[])`);
  return { count: chunk.ids.length, accounts: chunk.accounts.map(Number), cursor: chunk.cursor };
}
