import type { StatementPart } from '@outreach/database';
import { WORKER } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { refunds } from '../rules/index.js';
import type { ResultStatus } from '../message.entity.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/** The columns that a message takes unchanged from `queued_messages` to `messages`, and back when it is retried. */
export const SHARED_COLUMNS = sql`workspace_id, id, created_at, campaign_id, enrollment_id, contact_id, step_id, email_account_id,
  variant_id, reply_id, subject, message_id, reserved_on, delivered_at, opened_at, clicked_at, replied_at, unsubscribed_at,
  bot_opens, bot_clicks, bot_reason`;

export interface MessageEnd {
  readonly status: ResultStatus;
  readonly reason: Sql;
  readonly sent_at?: Sql;
  readonly bounced_at?: Sql;
}

export interface EndedMessage extends UpdatedMessage {
  /** This process had claimed it, and so reserved it in the daily limit. */
  readonly was_reserved: boolean;
  /** A worker had claimed it, but not begun to send it. */
  readonly was_waiting_with_lease: boolean;
}

/**
 * Moves messages with their results from the queue to `messages`. A message that has moved before is not returned.
 * @param which a condition on `message`, of `queued_messages`
 */
export function endQueued(scope: WorkspaceScope, which: Sql, end: MessageEnd): Promise<EndedMessage[]> {
  const { parts, last } = endStatement(scope, which, end);
  return scope.inParts<EndedMessage>(parts, last);
}

/** Like {@link endQueued}, by IDs, as a prepared statement. */
export function endQueuedByIds(
  scope: WorkspaceScope,
  ids: readonly number[],
  end: MessageEnd,
): Promise<EndedMessage[]> {
  const { parts, last } = endStatement(scope, sql`message.id = ANY(${[...ids]}::bigint[])`, end);
  return scope.inParts<EndedMessage>(parts, last.prepared());
}

const returnsReservations = (status: ResultStatus): boolean => status !== 'sent' && status !== 'unknown';

/** The result of messages in {@link recorded}. */
interface RecordedResult extends MessageEnd {
  readonly updated_at: Sql;
  readonly uncertain_attempts?: Sql;
}

/** The part `recorded` of a statement, which stores results. @param ended the part that deletes the messages, with all columns */
export const recorded = (ended: Sql, { status, reason, updated_at: at, ...result }: RecordedResult): StatementPart => ({
  name: 'recorded',
  statement: sql`INSERT INTO messages (${SHARED_COLUMNS}, attempts, uncertain_attempts, updated_at, status, reason, sent_at,
      bounced_at)
    SELECT ${SHARED_COLUMNS}, attempts, ${result.uncertain_attempts ?? sql`uncertain_attempts`}, ${at}, ${status}, ${reason},
      ${result.sent_at ?? sql`message.sent_at`}, ${result.bounced_at ?? sql`NULL`}::timestamptz
    FROM ${ended} message ORDER BY message.id`,
});

function endStatement(scope: WorkspaceScope, which: Sql, end: MessageEnd): { parts: StatementPart[]; last: Sql } {
  const ended = {
    name: 'ended',
    statement: sql`DELETE FROM queued_messages message WHERE message.workspace_id = ${scope} AND (${which})
      RETURNING message.*`,
    rowsOf: 'queued_messages',
  };
  const returned = returnsReservations(end.status) ? refunds(scope, sql`ended`) : [];
  return {
    parts: [ended, recorded(sql`ended`, { ...end, updated_at: scope.now }), ...returned],
    last: sql`SELECT ${UPDATED_COLUMNS}, coalesce(message.leased_by = ${WORKER}::uuid, FALSE) AS was_reserved,
          message.status = 'queued' AND message.lease_until IS NOT NULL AS was_waiting_with_lease
        FROM ended message`,
  };
}
