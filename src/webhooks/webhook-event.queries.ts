import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * The name and the body of the event that a delivery or a log refers to, to be joined. LIMIT makes each a probe of its
 * day's index: joined as a table, all days might be read.
 * @param referring the row with `event_id` and `event_created_at`
 */
export const eventOf = (scope: WorkspaceScope, referring: Sql): Sql => sql`LATERAL (
  SELECT raised.event, raised.payload FROM webhook_events raised
  WHERE raised.workspace_id = ${scope} AND raised.id = ${referring}.event_id
    AND raised.created_at = ${referring}.event_created_at
  LIMIT 1)`;
