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
export const endQueued = (scope: WorkspaceScope, which: Sql, end: MessageEnd): Promise<EndedMessage[]> =>
  scope.query<EndedMessage>(endStatement(scope, which, end));

/** Like {@link endQueued}, by IDs, as a prepared statement. */
export function endQueuedByIds(
  scope: WorkspaceScope,
  ids: readonly number[],
  end: MessageEnd,
): Promise<EndedMessage[]> {
  if (scope.isDistributed && !returnsReservations(end.status))
    return scope.transaction((tx) => endOnNode(tx, ids, end));
  return scope.query<EndedMessage>(endStatement(scope, isOneOf(ids), end).prepared());
}

const isOneOf = (ids: readonly number[]): Sql => sql`message.id = ANY(${[...ids]}::bigint[])`;

/** What a part of a statement inserts goes to all nodes. Statements of their own go to that of the workspace. */
async function endOnNode(tx: WorkspaceScope, ids: readonly number[], end: MessageEnd): Promise<EndedMessage[]> {
  const ended = await tx.query<EndedMessage>(
    sql`SELECT ${ENDED_COLUMNS} FROM queued_messages message WHERE message.workspace_id = ${tx} AND ${isOneOf(ids)}
        ORDER BY message.id FOR UPDATE`,
  );
  if (ended.length === 0) return ended;
  const queued = sql`queued_messages message WHERE message.workspace_id = ${tx} AND ${isOneOf(ended.map(({ id }) => id))}`;
  await tx.execute(record(tx, sql`${queued} ORDER BY message.id`, end));
  await tx.execute(sql`DELETE FROM ${queued}`);
  return ended;
}

const returnsReservations = (status: ResultStatus): boolean => status !== 'sent' && status !== 'unknown';

/** What messages have reserved that were not sent is returned, as a part of the statement. */
const refundsOf = (scope: WorkspaceScope, status: ResultStatus): Sql =>
  returnsReservations(status) ? refunds(scope, sql`ended`) : sql.empty;

const ENDED_COLUMNS = sql`${UPDATED_COLUMNS}, coalesce(message.leased_by = ${WORKER}::uuid, FALSE) AS was_reserved,
          message.status = 'queued' AND message.lease_until IS NOT NULL AS was_waiting_with_lease`;

const record = (scope: WorkspaceScope, messages: Sql, end: MessageEnd): Sql => sql`
          INSERT INTO messages (${SHARED_COLUMNS}, attempts, uncertain_attempts, updated_at, status, reason, sent_at, bounced_at)
          SELECT ${SHARED_COLUMNS}, attempts, uncertain_attempts, ${scope.now}, ${end.status}, ${end.reason},
            ${end.sent_at ?? sql`message.sent_at`}, ${end.bounced_at ?? sql`NULL`}::timestamptz
          FROM ${messages}`;

const endStatement = (scope: WorkspaceScope, which: Sql, end: MessageEnd): Sql =>
  sql`WITH ended AS (
          DELETE FROM queued_messages message WHERE message.workspace_id = ${scope} AND (${which}) RETURNING message.*
        ), recorded AS (${record(scope, sql`ended message ORDER BY message.id`, end)}
        )${refundsOf(scope, end.status)}
        SELECT ${ENDED_COLUMNS} FROM ended message`;
