import { type Sql, sql } from '../../platform/database/index.js';
import type { TenantTable, WorkspaceScope } from '../../platform/tenancy/index.js';

/** The number of rows that one statement deletes. */
const BATCH_SIZE = 5_000;

/** Rows without a `workspace_id` that belong to a workspace: the table, and a condition on `record`. */
interface OwnedRows {
  readonly name: string;
  readonly isOwned: Sql;
}

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

/** Returns the rows of tables that know the tokens of a workspace but not the workspace. */
export function rowsOfTokens(scope: WorkspaceScope): OwnedRows[] {
  const keys = sql`SELECT 'token:' || token.id FROM api_tokens token WHERE token.workspace_id = ${scope}`;
  const own = `workspace:${scope.workspace_id}`;
  return [
    {
      name: 'quota_counters',
      isOwned: sql`record.key IN (${keys}) OR record.key = ${own} OR record.key LIKE ${`%:${own}`}`,
    },
  ];
}

export const countRowsOfTokens = (scope: WorkspaceScope, { name, isOwned }: OwnedRows): Promise<number> =>
  count(scope, sql`FROM ${sql.ref(name)} record WHERE (${isOwned})`);

export const countTenantRows = (scope: WorkspaceScope, { name }: TenantTable): Promise<number> =>
  count(scope, sql`FROM ${sql.ref(name)} record WHERE record.workspace_id = ${scope}`);

async function count(scope: WorkspaceScope, rows: Sql): Promise<number> {
  const [row] = await scope.query<{ total: number }>(
    sql`SELECT count(*) AS total, ${scope}::bigint AS workspace_id ${rows}`,
  );
  return row?.total ?? 0;
}

/** @returns the number of deleted rows, 0 if there are no more */
export const deleteRowsOfTokens = (scope: WorkspaceScope, { name, isOwned }: OwnedRows): Promise<number> =>
  scope.execute(
    sql`DELETE FROM ${sql.ref(name)} WHERE ctid = ANY(ARRAY(
          SELECT record.ctid FROM ${sql.ref(name)} record WHERE (${isOwned}) LIMIT ${BATCH_SIZE}))`,
  );
