import type { StatementPart } from '@outreach/database';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The columns that {@link insertLogs} reads, except `success`, with their types. */
export const ATTEMPT_COLUMNS = sql`webhook_id bigint, event text, event_id bigint, event_created_at timestamptz, delivery_id uuid,
  original_delivery_id uuid, attempt int, status_code int, response text`;

/**
 * Returns the parts `logged` and `counted` of a statement, which log attempts and update the counts for lists.
 * @param source selects `webhook_id, event, event_id, event_created_at, delivery_id, original_delivery_id, attempt, status_code,
 *   success, response`, one row per attempt
 */
export const insertLogs = (scope: WorkspaceScope, source: Sql): StatementPart[] => [
  {
    name: 'logged',
    statement: sql`INSERT INTO webhook_logs (workspace_id, webhook_id, event, event_id, event_created_at, delivery_id,
        original_delivery_id, attempt, status_code, success, response, created_at)
      SELECT ${scope}, webhook_id, event, event_id, event_created_at, delivery_id, original_delivery_id, attempt, status_code,
        success, response, ${scope.now}
      FROM (${source}) attempt
      RETURNING webhook_id, created_at, event, status_code, success`,
    columns: sql`webhook_id bigint, created_at timestamptz, event text, status_code int, success boolean`,
  },
  {
    name: 'counted',
    statement: sql`INSERT INTO webhook_log_counts AS existing (workspace_id, webhook_id, day, event, status_code, success, total)
      SELECT ${scope}, webhook_id, (created_at AT TIME ZONE 'UTC')::date, event, status_code, success, count(*)
      FROM logged GROUP BY 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
      ON CONFLICT (workspace_id, webhook_id, day, event, status_code, success)
      DO UPDATE SET total = existing.total + excluded.total`,
  },
];
