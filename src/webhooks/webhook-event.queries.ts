import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * Returns a lateral join of the event of a delivery or a log: its name and its body. With LIMIT, PostgreSQL looks up each
 * event in the index of one partition; without it, the planner may read all partitions.
 * @param referring the row that has `event_id` and `event_created_at`
 */
export const eventOf = (scope: WorkspaceScope, referring: Sql): Sql => sql`LATERAL (
  SELECT stored.event, stored.payload FROM webhook_events stored
  WHERE stored.workspace_id = ${scope} AND stored.id = ${referring}.event_id
    AND stored.created_at = ${referring}.event_created_at
  LIMIT 1)`;
