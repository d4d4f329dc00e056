import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { logging } from './logs/logging.queries.js';
import { eventOf } from './webhook-event.queries.js';

/** What waited longer than this for a webhook that was inactive is not delivered any more (API v1, "Webhook activity"). */
export const MAX_WAIT_HOURS = 28;

/** What the log says of it. */
const DROPPED = 'dropped';

/**
 * Takes out what has waited so many hours for a webhook, and logs it as dropped. What somebody has asked for does not
 * wait, so it stays. The webhook must be locked.
 */
export async function dropWaiting(scope: WorkspaceScope, webhookId: number, hours: number): Promise<void> {
  await scope.execute(
    sql`WITH dropped AS (
          DELETE FROM webhook_deliveries delivery
          WHERE delivery.workspace_id = ${scope} AND delivery.webhook_id = ${webhookId} AND NOT delivery.forced
            AND delivery.created_at < now() - make_interval(hours => ${hours})
          RETURNING webhook_id, event_id, event_created_at, delivery_id, attempts + 1 AS attempt
        ), ${logging(
          scope,
          sql`SELECT dropped.*, event.event, 0 AS status_code, FALSE AS success, ${DROPPED} AS response
              FROM dropped CROSS JOIN ${eventOf(scope, sql`dropped`)} event`,
        )}
        SELECT 1 FROM logged`,
  );
}
