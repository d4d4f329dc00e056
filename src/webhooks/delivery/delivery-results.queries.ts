import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { TEST_EVENT } from '../event-names.js';
import { logging } from '../logs/logging.queries.js';
import type { Webhook } from '../webhook.entity.js';
import type { AttemptResult } from './attempt-result.js';

/** An attempt that was made, and what came of it. */
export interface CompletedAttempt {
  readonly delivery: {
    readonly id: number;
    readonly webhook_id: number;
    readonly event: string;
    readonly attempt: number;
  };
  readonly result: AttemptResult;
}

/**
 * Ends deliveries that their receivers have taken, logs them, and calls their webhooks well. An attempt that was recorded
 * before is not recorded again: its delivery is gone or has gone on. Tests that are sent again say nothing of a webhook.
 * The webhooks are locked first, as everywhere; to count them is to lock all of them. A webhook that is well is written
 * ten times a second at most, however much it takes.
 */
export async function recordDelivered(scope: WorkspaceScope, made: readonly CompletedAttempt[]): Promise<void> {
  await scope.execute(
    sql`WITH given AS (${rowsOf(made)}), held AS MATERIALIZED (
          SELECT webhook.id, webhook.failure_count > 0 OR webhook.paused_until IS NOT NULL
            OR coalesce(webhook.last_triggered_at < now() - interval '100 milliseconds', TRUE) AS is_behind
          FROM webhooks webhook
          WHERE webhook.workspace_id = ${scope} AND webhook.id IN (SELECT webhook_id FROM given)
          ORDER BY webhook.id FOR NO KEY UPDATE
        ), done AS (
          DELETE FROM webhook_deliveries delivery USING given
          WHERE delivery.workspace_id = ${scope} AND delivery.id = given.id AND delivery.attempts = given.attempt - 1
            AND (SELECT count(*) FROM held) > 0
          RETURNING ${LOGGED}
        ), ${logging(scope, sql`SELECT done.*, TRUE AS success FROM done`)}
        UPDATE webhooks webhook SET last_triggered_at = now(), failure_count = 0, paused_until = NULL
        WHERE webhook.workspace_id = ${scope} AND webhook.id IN (SELECT id FROM held WHERE is_behind)
          AND webhook.id IN (SELECT webhook_id FROM done WHERE event <> ${TEST_EVENT})`.prepared(),
  );
}

/**
 * Logs a failed attempt and lets its delivery wait, or ends it.
 * @param seconds until the next attempt, or undefined when there is none
 * @returns false when this attempt was recorded before
 */
export async function recordFailed(
  scope: WorkspaceScope,
  made: CompletedAttempt,
  seconds: number | undefined,
): Promise<boolean> {
  const same = sql`delivery.workspace_id = ${scope} AND delivery.id = given.id AND delivery.attempts = given.attempt - 1`;
  const updated =
    seconds === undefined
      ? sql`DELETE FROM webhook_deliveries delivery USING given WHERE ${same}`
      : sql`UPDATE webhook_deliveries delivery SET attempts = given.attempt,
              next_attempt_at = now() + make_interval(secs => ${seconds})
            FROM given WHERE ${same}`;
  const rows = await scope.query(
    sql`WITH given AS (${rowsOf([made])}), moved AS (${updated} RETURNING ${LOGGED}),
          ${logging(scope, sql`SELECT moved.*, FALSE AS success FROM moved`)}
        SELECT 1 FROM logged`,
  );
  return rows.length > 0;
}

/** Writes how a webhook is after a failure. @param pause seconds in which nothing is attempted, 0 for none */
export async function writeHealth(
  scope: WorkspaceScope,
  webhookId: number,
  health: Pick<Webhook, 'failure_count' | 'is_active'>,
  pause: number,
): Promise<void> {
  const until = pause > 0 ? sql`now() + make_interval(secs => ${pause})` : sql`NULL`;
  await scope.execute(
    sql`UPDATE webhooks SET failure_count = ${health.failure_count}, paused_until = ${until}, last_triggered_at = now(),
          updated_at = CASE WHEN is_active = ${health.is_active} THEN updated_at ELSE now() END,
          is_active = ${health.is_active}
        WHERE workspace_id = ${scope} AND id = ${webhookId}`,
  );
}

/** What `logging` wants of the row `delivery` and the attempt `given`, but for its success. */
const LOGGED = sql`delivery.webhook_id, given.event, delivery.event_id, delivery.event_created_at, delivery.delivery_id,
  given.attempt, given.status_code, given.response`;

function rowsOf(made: readonly CompletedAttempt[]): Sql {
  const of = <T>(pick: (attempt: CompletedAttempt) => T): T[] => made.map(pick);
  return sql`SELECT * FROM unnest(${of(({ delivery }) => delivery.id)}::bigint[],
      ${of(({ delivery }) => delivery.webhook_id)}::bigint[], ${of(({ delivery }) => delivery.event)}::text[],
      ${of(({ delivery }) => delivery.attempt)}::int[], ${of(({ result }) => result.status_code)}::int[],
      ${of(({ result }) => result.response)}::text[])
    AS attempt (id, webhook_id, event, attempt, status_code, response)`;
}
