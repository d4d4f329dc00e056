import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lockMessagesOf, storeFigures } from '../../sending/index.js';
import { daysBefore, NEVER } from './expired-rows.queries.js';

/** The number of messages that one transaction reads. */
const CHUNK_SIZE = 1_000;

interface MessageCursor {
  readonly created_at: Date;
  readonly id: number;
}

/**
 * SQL: messages that are older have expired at an instant. They stay for as long as a campaign of the workspace looks for the
 * last message to a contact (`min_days_since_last_message`).
 */
const expiredBefore = (scope: WorkspaceScope, days: number, instant: Sql): Sql => {
  const longest = sql`SELECT max(campaign.min_days_since_last_message) FROM campaigns campaign
    WHERE campaign.workspace_id = ${scope}`;
  return daysBefore(instant, sql`greatest(${days}::int, (${longest}))`);
};

/**
 * SQL condition: an enrollment has ended, so that nothing depends on its messages any more, and nothing has happened to them
 * or been answered since an instant. Before, its messages say what is sent next: which step, from whom, in which thread, on
 * which condition.
 */
const isExpired = (scope: WorkspaceScope, enrollmentId: Sql, before: Sql): Sql => sql`(
  EXISTS (SELECT 1 FROM enrollments enrollment WHERE enrollment.workspace_id = ${scope}
    AND enrollment.id = ${enrollmentId} AND enrollment.status IN ('completed', 'failed', 'unsubscribed'))
  AND NOT EXISTS (SELECT 1 FROM queued_messages waiting
    WHERE waiting.workspace_id = ${scope} AND waiting.enrollment_id = ${enrollmentId})
  AND NOT EXISTS (SELECT 1 FROM messages recent
    WHERE recent.workspace_id = ${scope} AND recent.enrollment_id = ${enrollmentId}
      AND greatest(recent.created_at, coalesce(recent.sent_at, recent.updated_at), recent.delivered_at, recent.opened_at,
        recent.clicked_at, recent.replied_at, recent.bounced_at, recent.complained_at, recent.unsubscribed_at) >= ${before})
  AND NOT EXISTS (SELECT 1 FROM replies reply
    WHERE reply.workspace_id = ${scope} AND reply.enrollment_id = ${enrollmentId} AND reply.created_at >= ${before}))`;

/** The condition that a workspace has messages that have expired at an instant. */
export function hasExpiredMessages(scope: WorkspaceScope, days: number, instant: Sql): Sql {
  const before = expiredBefore(scope, days, instant);
  return sql`EXISTS (SELECT 1 FROM messages message WHERE message.workspace_id = ${scope}
    AND message.created_at < ${before} AND ${isExpired(scope, sql`message.enrollment_id`, before)})`;
}

/**
 * Deletes the messages of enrollments that have ended, with what answers to replies say, in chunks of one transaction each. What
 * they count in the statistics of their campaigns stays as counters. All messages of an enrollment go at the same time, because
 * a recipient counts once.
 * @param isEnough asked between two chunks: whether the rest is left to another run
 */
export async function deleteExpiredMessages(scope: WorkspaceScope, days: number, isEnough = NEVER): Promise<void> {
  const before = expiredBefore(scope, days, scope.now);
  const campaigns = await scope.query<{ id: number }>(
    sql`SELECT campaign.id FROM campaigns campaign WHERE campaign.workspace_id = ${scope} AND EXISTS (
          SELECT 1 FROM messages message WHERE message.workspace_id = ${scope} AND message.campaign_id = campaign.id
            AND message.created_at < ${before}) ORDER BY campaign.id`,
  );
  for (const { id } of campaigns) {
    let after: MessageCursor | undefined = { created_at: new Date(0), id: 0 };
    while (after && !isEnough()) {
      const from: MessageCursor = after;
      after = await scope.transaction((tx) => deleteChunk(tx, id, days, from));
    }
  }
}

/** @returns the cursor of the next chunk; undefined if there is none */
async function deleteChunk(
  tx: WorkspaceScope,
  campaignId: number,
  days: number,
  after: MessageCursor,
): Promise<MessageCursor | undefined> {
  const before = expiredBefore(tx, days, tx.now);
  const messages = await tx.query<MessageCursor & { enrollment_id: number }>(
    sql`SELECT message.created_at, message.id, message.enrollment_id FROM messages message
        WHERE message.workspace_id = ${tx} AND message.campaign_id = ${campaignId} AND message.created_at < ${before}
          AND (message.created_at, message.id) > (${after.created_at}::timestamptz, ${after.id}::bigint)
        ORDER BY message.created_at, message.id LIMIT ${CHUNK_SIZE}`,
  );
  const found = await expiredEnrollments(
    tx,
    messages.map((message) => message.enrollment_id),
    before,
  );
  if (found.length > 0) {
    await lockMessagesOf(tx, found);
    // Again, because a retry may have started some of them meanwhile.
    await deleteMessages(tx, await expiredEnrollments(tx, found, before));
  }
  return messages.length === CHUNK_SIZE ? messages.at(-1) : undefined;
}

async function expiredEnrollments(tx: WorkspaceScope, ids: readonly number[], before: Sql): Promise<number[]> {
  return tx.queryIds(
    sql`SELECT DISTINCT found.id, ${tx}::bigint AS workspace_id FROM unnest(${[...ids]}::bigint[]) found (id)
        WHERE ${isExpired(tx, sql`found.id`, before)}`,
  );
}

async function deleteMessages(tx: WorkspaceScope, enrollmentIds: readonly number[]): Promise<void> {
  await storeFigures(tx, enrollmentIds);
  for (const table of ['message_contents', 'messages']) {
    await tx.execute(
      sql`DELETE FROM ${sql.ref(table)}
          WHERE workspace_id = ${tx} AND enrollment_id = ANY(${[...enrollmentIds]}::bigint[])`,
    );
  }
}
