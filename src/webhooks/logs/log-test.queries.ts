import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { AttemptResult } from '../delivery/attempt-result.js';
import type { AttemptRequest } from '../delivery/signed-headers.js';
import { webhookForKeyShare } from '../webhooks.queries.js';
import { logging } from './logging.queries.js';

/** Logs a test delivery and keeps what was sent, unless the webhook was deleted while it was under way. */
export async function logTest(
  scope: WorkspaceScope,
  webhookId: number,
  request: AttemptRequest,
  result: AttemptResult,
): Promise<void> {
  const { event, body, delivery_id: deliveryId, attempt } = request;
  await scope.execute(
    sql`WITH ${webhookForKeyShare(scope, webhookId)}, told AS (
          INSERT INTO webhook_events (workspace_id, event, payload)
          SELECT ${scope}, ${event}, ${body}::json FROM webhook
          RETURNING id, created_at
        ), ${logging(
          scope,
          sql`SELECT webhook.id AS webhook_id, ${event}::text AS event, told.id AS event_id,
                told.created_at AS event_created_at, ${deliveryId}::uuid AS delivery_id, ${attempt}::int AS attempt,
                ${result.status_code}::int AS status_code, ${result.success}::boolean AS success,
                ${result.response}::text AS response
              FROM webhook CROSS JOIN told`,
        )}
        SELECT count(*) FROM logged`,
  );
}
