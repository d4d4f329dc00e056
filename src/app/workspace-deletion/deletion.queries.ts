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

/** The condition on `counter` that it is of the workspace, which quota counters do not know: they know its tokens. */
async function isCounterOf(scope: WorkspaceScope): Promise<Sql> {
  const tokens = await scope.queryIds(sql`SELECT id FROM api_tokens WHERE workspace_id = ${scope}`);
  const own = sql`'workspace:' || ${scope}::bigint`;
  return sql`(counter.key = ANY(${tokens.map((id) => `token:${id}`)}::text[]) OR counter.key = ${own}
    OR counter.key LIKE '%:' || ${own})`;
}

export const countQuotaCounters = async (scope: WorkspaceScope): Promise<number> =>
  count(scope, sql`FROM quota_counters counter WHERE ${await isCounterOf(scope)}`);

export const countTenantRows = (scope: WorkspaceScope, { name }: TenantTable): Promise<number> =>
  count(scope, sql`FROM ${sql.ref(name)} record WHERE record.workspace_id = ${scope}`);

async function count(scope: WorkspaceScope, rows: Sql): Promise<number> {
  const [row] = await scope.query<{ total: number }>(
    sql`SELECT count(*) AS total, ${scope}::bigint AS workspace_id ${rows}`,
  );
  return row?.total ?? 0;
}

/** @returns the number of deleted rows, 0 if there are no more */
export const deleteQuotaCounters = async (scope: WorkspaceScope): Promise<number> =>
  scope.execute(
    sql`DELETE FROM quota_counters WHERE ctid = ANY(ARRAY(
          SELECT counter.ctid FROM quota_counters counter WHERE ${await isCounterOf(scope)} LIMIT ${BATCH_SIZE}))`,
  );
