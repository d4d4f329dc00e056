import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MAX_WAIT_HOURS } from './waiting-deliveries.queries.js';

const BATCH_SIZE = 5_000;

/** Tables of which the rows of a day are dropped with its partition, and those of a sandbox one by one. */
export type ExpiringTable = 'webhook_logs' | 'webhook_events' | 'event_batches';

/** The condition that the day (UTC) of the row `old` is more than `days` before that of an instant, as for partitions. */
export const isOlderThan = (days: number, instant: Sql): Sql =>
  sql`old.created_at < date_trunc('day', ${instant}, 'UTC') - make_interval(days => ${days})`;

/** The condition that a workspace has rows that are older than `days` at an instant. */
export const hasExpired = (scope: WorkspaceScope, table: ExpiringTable, days: number, instant: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM ${sql.ref(table)} old WHERE old.workspace_id = ${scope} AND ${isOlderThan(days, instant)})`;

/** Deletes some rows of a workspace that are older than `days`. */
export async function deleteExpired(scope: WorkspaceScope, table: ExpiringTable, days: number): Promise<void> {
  await scope.execute(
    sql`DELETE FROM ${sql.ref(table)} expired WHERE expired.workspace_id = ${scope} AND (expired.id, expired.created_at) IN (
          SELECT old.id, old.created_at FROM ${sql.ref(table)} old
          WHERE old.workspace_id = ${scope} AND ${isOlderThan(days, scope.now)} LIMIT ${BATCH_SIZE})`,
  );
}

/** The condition that a delivery of the row `webhook` waits for too long: if that is active, longer than `days`. */
export const waitsTooLong = (days: number, instant: Sql): Sql =>
  sql`NOT delivery.forced AND delivery.created_at < ${instant} - CASE WHEN webhook.is_active THEN make_interval(days => ${days})
    ELSE make_interval(hours => ${MAX_WAIT_HOURS}) END`;

/** Selects the IDs of the webhooks of a workspace with deliveries that wait for too long at an instant. */
export const staleWebhooksOf = (scope: WorkspaceScope, days: number, instant: Sql): Sql =>
  sql`SELECT webhook.id FROM webhooks webhook WHERE webhook.workspace_id = ${scope} AND EXISTS (
        SELECT 1 FROM webhook_deliveries delivery
        WHERE delivery.workspace_id = ${scope} AND delivery.webhook_id = webhook.id AND ${waitsTooLong(days, instant)})`;
