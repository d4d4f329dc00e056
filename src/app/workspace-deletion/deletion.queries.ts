import { type Sql, sql } from '../../platform/database/index.js';
import type { TenantTable, WorkspaceScope } from '../../platform/tenancy/index.js';

/** The number of rows that one statement deletes. */
const BATCH_SIZE = 5_000;

/** Stops what runs without a request: campaigns, mailboxes, webhooks and imports. No event is published. */
export async function deactivateSenders(scope: WorkspaceScope): Promise<void> {
  await scope.transaction(async (tx) => {
    await tx.execute(
      sql`UPDATE campaigns SET status = 'paused', paused_at = ${tx.now} WHERE workspace_id = ${tx} AND status = 'active'`,
    );
    await tx.execute(sql`UPDATE email_accounts SET is_active = FALSE WHERE workspace_id = ${tx} AND is_active`);
    await tx.execute(sql`UPDATE webhooks SET is_active = FALSE WHERE workspace_id = ${tx} AND is_active`);
    await tx.execute(
      sql`UPDATE imports SET status = 'cancelled', leased_by = NULL, lease_until = NULL
          WHERE workspace_id = ${tx} AND status IN ('pending', 'running')`,
    );
    await tx.execute(sql`UPDATE webhook_deliveries SET forced = FALSE WHERE workspace_id = ${tx} AND forced`);
  });
}

/** The quota counters of a workspace, which know its tokens but not the workspace, as a condition on `counter`. */
function isCounterOf(scope: WorkspaceScope): Sql {
  const keys = sql`SELECT 'token:' || token.id FROM api_tokens token WHERE token.workspace_id = ${scope}`;
  const own = `workspace:${scope.workspace_id}`;
  return sql`(counter.key IN (${keys}) OR counter.key = ${own} OR counter.key LIKE ${`%:${own}`})`;
}

export const countQuotaCounters = (scope: WorkspaceScope): Promise<number> =>
  count(scope, sql`FROM quota_counters counter WHERE ${isCounterOf(scope)}`);

export const countTenantRows = (scope: WorkspaceScope, { name }: TenantTable): Promise<number> =>
  count(scope, sql`FROM ${sql.ref(name)} record WHERE record.workspace_id = ${scope}`);

async function count(scope: WorkspaceScope, rows: Sql): Promise<number> {
  const [row] = await scope.query<{ total: number }>(
    sql`SELECT count(*) AS total, ${scope}::bigint AS workspace_id ${rows}`,
  );
  return row?.total ?? 0;
}

/** @returns the number of deleted rows, 0 if there are no more */
export const deleteQuotaCounters = (scope: WorkspaceScope): Promise<number> =>
  scope.execute(
    sql`DELETE FROM quota_counters WHERE ctid = ANY(ARRAY(
          SELECT counter.ctid FROM quota_counters counter WHERE ${isCounterOf(scope)} LIMIT ${BATCH_SIZE}))`,
  );
