import type { TestDatabase } from './test-database.js';

export interface GivenLog {
  readonly event: string;
  readonly status_code: number;
  readonly success: boolean;
  /** ISO 8601. */
  readonly created_at: string;
  readonly response?: string;
  /** The body of the event; a short one by default. */
  readonly payload?: object;
}

/** Inserts logs of a webhook with their events and counts. @returns their IDs in the order of `logs` */
export async function givenLogs(
  database: TestDatabase,
  webhook: { readonly workspace_id: number; readonly id: number },
  logs: readonly GivenLog[],
): Promise<number[]> {
  const rows = await database.query<{ id: string }>(
    `WITH input AS (
       SELECT position, nextval('webhook_events_id_seq') AS event_id, event, status_code, success, created_at,
         coalesce(response, 'OK') AS response,
         coalesce(payload, json_build_object('event', event, 'workspace_id', $1::bigint, 'data', '{}'::json)) AS payload
       FROM ROWS FROM (json_to_recordset($3) AS (event text, status_code int, success boolean, created_at timestamptz,
         response text, payload json)) WITH ORDINALITY
         AS log (event, status_code, success, created_at, response, payload, position)
       ORDER BY position
     ), inserted AS (
       INSERT INTO webhook_events (workspace_id, id, created_at, event, payload)
       SELECT $1, event_id, created_at, event, payload FROM input
     ), counted AS (
       INSERT INTO webhook_log_counts AS existing (workspace_id, webhook_id, day, event, status_code, success, total)
       SELECT $1, $2, (created_at AT TIME ZONE 'UTC')::date, event, status_code, success, count(*)
       FROM input GROUP BY 3, 4, 5, 6
       ON CONFLICT (workspace_id, webhook_id, day, event, status_code, success)
       DO UPDATE SET total = existing.total + excluded.total
     )
     INSERT INTO webhook_logs (workspace_id, webhook_id, event, event_id, event_created_at, delivery_id, attempt,
       status_code, success, response, created_at)
     SELECT $1, $2, event, event_id, created_at, gen_random_uuid(), 1, status_code, success, response, created_at
     FROM input ORDER BY position RETURNING id`,
    [webhook.workspace_id, webhook.id, JSON.stringify(logs)],
  );
  return rows.map(({ id }) => Number(id));
}
