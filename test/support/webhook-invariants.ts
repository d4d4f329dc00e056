import type { TestDatabase } from './test-database.js';

const LOST_ATTEMPTS = `
  SELECT 'an attempt is missing or was recorded twice' AS violation, logged.*
  FROM (
    SELECT delivery_id, attempt, row_number() OVER (PARTITION BY delivery_id ORDER BY id) AS nth FROM webhook_logs
  ) logged
  WHERE attempt <> nth`;

const WRONG_COUNTS = `
  SELECT 'a count is wrong' AS violation, counted.*, logged.total AS logged
  FROM webhook_log_counts counted FULL JOIN (
    SELECT workspace_id, webhook_id, (created_at AT TIME ZONE 'UTC')::date AS day, event, status_code, success,
      count(*) AS total
    FROM webhook_logs log WHERE EXISTS (
      SELECT 1 FROM webhooks WHERE webhooks.workspace_id = log.workspace_id AND webhooks.id = log.webhook_id) GROUP BY 1, 2, 3, 4, 5, 6
  ) logged USING (workspace_id, webhook_id, day, event, status_code, success)
  WHERE counted.total IS DISTINCT FROM logged.total`;

const WRONG_HEALTH = `
  SELECT 'the failures in a row are wrong' AS violation, webhook.id, webhook.failure_count, logged.failures
  FROM webhooks webhook CROSS JOIN LATERAL (
    SELECT count(*) AS failures FROM webhook_logs log
    WHERE log.workspace_id = webhook.workspace_id AND log.webhook_id = webhook.id AND log.event <> 'webhook.test' AND log.id > coalesce((
      SELECT max(good.id) FROM webhook_logs good
      WHERE good.workspace_id = webhook.workspace_id AND good.webhook_id = webhook.id AND good.event <> 'webhook.test' AND good.success), 0)
  ) logged
  WHERE webhook.failure_count <> logged.failures`;

const lostEvents = (attempts: number): string => `
  SELECT 'a delivery was deleted without a log of its last attempt' AS violation, event.id, webhook.id AS webhook_id
  FROM webhook_events event
  JOIN webhooks webhook ON webhook.workspace_id = event.workspace_id AND event.event = ANY(webhook.events)
  WHERE NOT EXISTS (SELECT 1 FROM webhook_logs log
      WHERE log.workspace_id = event.workspace_id AND log.webhook_id = webhook.id AND log.event_id = event.id
        AND (log.success OR log.attempt = ${attempts}))
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries delivery
      WHERE delivery.workspace_id = event.workspace_id AND delivery.webhook_id = webhook.id AND delivery.event_id = event.id)`;

/**
 * Returns contradictions between the tables of webhooks. Requires that the subscriptions have not changed since the first
 * event, and that no webhook was enabled again.
 * @param attempts the maximum of a delivery
 */
export async function violatedInvariants(database: TestDatabase, attempts = 8): Promise<object[]> {
  const found = [];
  for (const statement of [LOST_ATTEMPTS, WRONG_COUNTS, WRONG_HEALTH, lostEvents(attempts)]) {
    found.push(...(await database.query(statement)));
  }
  return found;
}
