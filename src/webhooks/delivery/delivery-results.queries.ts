import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { TEST_EVENT } from '../event-names.js';
import { ATTEMPT_COLUMNS, insertLogs } from '../logs/insert-logs.queries.js';
import { targetDigest } from '../webhooks.queries.js';
import type { AttemptResult } from '@outreach/webhook-delivery';

/** An attempt at a delivery with its result. */
export interface CompletedAttempt {
  readonly delivery: {
    readonly id: number;
    readonly webhook_id: number;
    readonly event: string;
    readonly attempt: number;
  };
  /** Of the URL and the secret that it was made with, see `targetDigest`. */
  readonly target_digest: string;
  readonly result: AttemptResult;
}

/** The state of a webhook after a failure. */
export interface WebhookHealth {
  readonly failure_count: number;
  readonly is_active: boolean;
  /** Seconds without attempts, 0 for none. */
  readonly pause: number;
}

/**
 * Logs successful attempts, deletes their deliveries, and resets the failures of their webhooks. Skips an attempt that was
 * recorded before: its delivery is deleted or has a higher attempt number. A redelivered test does not change its webhook,
 * and neither does an attempt with a former URL or secret.
 *
 * Locks the webhooks before their deliveries, like all statements that lock both; `count(*)` waits for all of these locks.
 * The row of a healthy webhook is updated at most ten times a second.
 */
export async function recordDelivered(scope: WorkspaceScope, attempts: readonly CompletedAttempt[]): Promise<void> {
  const webhookIds = attempts.map(({ delivery }) => delivery.webhook_id);
  const delivered = {
    name: 'delivered',
    with: sql`attempt AS (${rowsOf(attempts)}), locked AS MATERIALIZED (
        SELECT webhook.id, ${targetDigest} AS target_digest, webhook.failure_count > 0 OR webhook.paused_until IS NOT NULL
          OR coalesce(webhook.last_triggered_at < ${scope.now} - interval '100 milliseconds', TRUE) AS needs_update
        FROM webhooks webhook
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ANY(${webhookIds}::bigint[])
        ORDER BY webhook.id FOR NO KEY UPDATE
      )`,
    statement: sql`DELETE FROM webhook_deliveries delivery USING attempt
      WHERE delivery.workspace_id = ${scope} AND delivery.id = attempt.id
        AND delivery.attempts = attempt.attempt - 1 AND (SELECT count(*) FROM locked) > 0
      RETURNING ${LOG_COLUMNS}, attempt.event <> ${TEST_EVENT} AND EXISTS (SELECT 1 FROM locked
        WHERE locked.id = delivery.webhook_id AND locked.target_digest = attempt.target_digest AND locked.needs_update)
        AS is_news`,
    columns: sql`${ATTEMPT_COLUMNS}, is_news boolean`,
  };
  await scope.inParts(
    [delivered, ...insertLogs(scope, sql`SELECT delivered.*, TRUE AS success FROM delivered`)],
    sql`UPDATE webhooks webhook SET last_triggered_at = ${scope.now}, failure_count = 0, paused_until = NULL
        WHERE webhook.workspace_id = ${scope}
          AND webhook.id = ANY (ARRAY(SELECT delivered.webhook_id FROM delivered WHERE delivered.is_news))`.prepared(),
  );
}

/**
 * Logs a failed attempt, and schedules the next attempt or deletes the delivery.
 * @param seconds until the next attempt; undefined after the last one
 * @returns false if this attempt was recorded before
 */
export async function recordFailed(
  scope: WorkspaceScope,
  attempt: CompletedAttempt,
  seconds: number | undefined,
): Promise<boolean> {
  const isExpected = sql`delivery.workspace_id = ${scope} AND delivery.id = attempt.id
    AND delivery.attempts = attempt.attempt - 1`;
  const change =
    seconds === undefined
      ? sql`DELETE FROM webhook_deliveries delivery USING attempt WHERE ${isExpected}`
      : sql`UPDATE webhook_deliveries delivery SET attempts = attempt.attempt,
              next_attempt_at = ${scope.now} + make_interval(secs => ${seconds})
            FROM attempt WHERE ${isExpected}`;
  const failed = {
    name: 'failed',
    with: sql`attempt AS (${rowsOf([attempt])})`,
    statement: sql`${change} RETURNING ${LOG_COLUMNS}`,
    columns: ATTEMPT_COLUMNS,
  };
  const logs = insertLogs(scope, sql`SELECT failed.*, FALSE AS success FROM failed`);
  const rows = await scope.inParts([failed, ...logs], sql`SELECT 1 FROM logged`);
  return rows.length > 0;
}

/** Stores the state of a webhook after a failure. */
export async function updateHealth(scope: WorkspaceScope, webhookId: number, health: WebhookHealth): Promise<void> {
  const { pause } = health;
  const until = pause > 0 ? sql`${scope.now} + make_interval(secs => ${pause})` : sql`NULL`;
  await scope.execute(
    sql`UPDATE webhooks SET failure_count = ${health.failure_count}, paused_until = ${until}, last_triggered_at = ${scope.now},
          updated_at = CASE WHEN is_active = ${health.is_active} THEN updated_at ELSE ${scope.now} END,
          is_active = ${health.is_active}
        WHERE workspace_id = ${scope} AND id = ${webhookId}`,
  );
}

/** What `insertLogs` reads of the rows `delivery` and `attempt`, except `success`. */
const LOG_COLUMNS = sql`delivery.webhook_id, attempt.event, delivery.event_id, delivery.event_created_at,
  delivery.delivery_id, delivery.original_delivery_id, attempt.attempt, attempt.status_code, attempt.response`;

function rowsOf(attempts: readonly CompletedAttempt[]): Sql {
  const column = <T>(pick: (attempt: CompletedAttempt) => T): T[] => attempts.map(pick);
  return sql`SELECT * FROM unnest(${column(({ delivery }) => delivery.id)}::bigint[],
      ${column(({ delivery }) => delivery.webhook_id)}::bigint[], ${column(({ delivery }) => delivery.event)}::text[],
      ${column(({ delivery }) => delivery.attempt)}::int[], ${column(({ result }) => result.status_code)}::int[],
      ${column(({ result }) => result.response)}::text[], ${column(({ target_digest: digest }) => digest)}::text[])
    AS attempt (id, webhook_id, event, attempt, status_code, response, target_digest)`;
}
