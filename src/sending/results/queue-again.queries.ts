import type { StatementPart } from '@outreach/database';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Wait } from '../rules/index.js';
import { SHARED_COLUMNS } from './move.queries.js';

/**
 * The parts of a statement that move messages from `messages` back to the queue: `queued` has them. Answers to replies do not
 * wait for the campaign. Messages that were not sent start with the first attempt.
 * @param which deletes them, as `message`, and returns all of their columns
 */
export const queueAgain = (tx: WorkspaceScope, which: Sql, { reason, until }: Wait): StatementPart[] => [
  { name: 'retried', statement: which, rowsOf: 'messages' },
  {
    name: 'queued',
    statement: sql`INSERT INTO queued_messages
        (${SHARED_COLUMNS}, sent_at, attempts, uncertain_attempts, reason, next_attempt_at, updated_at)
      SELECT ${SHARED_COLUMNS}, sent_at, CASE WHEN status IN ('failed', 'bounced') THEN 0 ELSE attempts END, uncertain_attempts,
        CASE WHEN reply_id IS NULL THEN ${reason} END, CASE WHEN reply_id IS NULL THEN ${until(tx)} ELSE ${tx.now} END, ${tx.now}
      FROM retried RETURNING id, campaign_id, enrollment_id, email_account_id, reply_id`,
    columns: sql`id bigint, campaign_id bigint, enrollment_id bigint, email_account_id bigint, reply_id bigint`,
  },
];

/** The part that lets the failed enrollments of messages run again, after those of {@link queueAgain}. */
export const restartFailed = (tx: WorkspaceScope): StatementPart => ({
  name: 'running',
  statement: sql`UPDATE enrollments enrollment SET updated_at = ${tx.now}, stopped_at = NULL, status = CASE WHEN EXISTS (
        SELECT 1 FROM messages earlier WHERE earlier.workspace_id = ${tx}
          AND earlier.enrollment_id = enrollment.id AND earlier.sent_at IS NOT NULL) THEN 'in_progress' ELSE 'pending' END
    FROM queued WHERE enrollment.workspace_id = ${tx} AND enrollment.id = queued.enrollment_id
      AND enrollment.status = 'failed' AND queued.reply_id IS NULL`,
});
