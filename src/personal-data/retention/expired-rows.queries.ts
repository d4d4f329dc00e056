import { type Sql, sql } from '../../platform/database/index.js';
import { deleteBatch, type TenantTable, type WorkspaceScope } from '../../platform/tenancy/index.js';

/** A table whose rows expire one by one, whatever becomes of the others. IDs ascend with time, approximately. */
export interface HistoryTable extends TenantTable {
  /** A condition on its columns: the row is not needed any more. */
  readonly isDone: Sql;
}

const expiring = (name: string, isDone = sql`TRUE`): HistoryTable => ({
  name,
  key: [{ name: 'id', type: 'bigint' }],
  isDone,
});

export const EXPIRING_TABLES: readonly HistoryTable[] = [
  expiring('tracking_events', sql`classification <> 'undecided'`),
  expiring('contact_changes'),
  expiring('enrollment_changes'),
  expiring('replies'),
];

export const NEVER = (): boolean => false;

/** SQL: the end of the time that has expired at an instant. */
export const daysBefore = (instant: Sql, days: Sql): Sql => sql`${instant} - make_interval(days => ${days})`;

const isExpired = ({ isDone }: HistoryTable, days: number, instant: Sql): Sql =>
  sql.all([sql`created_at < ${daysBefore(instant, sql`${days}`)}`, isDone]);

/** The condition that a workspace has rows of a table that have expired at an instant. */
export const hasExpiredRows = (scope: WorkspaceScope, table: HistoryTable, days: number, instant: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM ${sql.ref(table.name)} WHERE workspace_id = ${scope} AND (${isExpired(table, days, instant)}))`;

/**
 * Deletes the rows of a table that have expired, in batches from the oldest to the first one of which none has.
 * @param isEnough asked between two batches: whether the rest is left to another run
 */
export async function deleteExpiredRows(
  scope: WorkspaceScope,
  table: HistoryTable,
  days: number,
  isEnough = NEVER,
): Promise<void> {
  const which = isExpired(table, days, scope.now);
  let batch = await deleteBatch(scope, table, undefined, which);
  while (batch && batch.total > 0 && !isEnough()) batch = await deleteBatch(scope, table, batch.last, which);
}
