import { Sql, sql } from '../database/index.js';
import type { WorkspaceScope } from './workspace-scope.js';

/** The number of rows that one statement reads. */
const BATCH_SIZE = 5_000;

/** A table with a column `workspace_id`. */
export interface TenantTable {
  readonly name: string;
  /** The columns of the primary key after `workspace_id`, or that column if it has no other. */
  readonly key: readonly KeyColumn[];
}

interface KeyColumn {
  readonly name: string;
  /** As in SQL. */
  readonly type: string;
}

/** What one statement has done. */
export interface DeletedBatch {
  /** The number of rows that it has deleted. */
  readonly total: number;
  /** The key of the last row that it has read, as text. */
  readonly last: readonly string[];
}

/**
 * Reads the next rows of a workspace in the order of the primary key, whose index finds them, and deletes them.
 * @param after the key of the last row that was read before: reading deleted rows again takes longer each time
 * @param which a condition on the columns of the table; rows that do not meet it stay
 * @returns undefined if there are no more rows
 */
export async function deleteBatch(
  scope: WorkspaceScope,
  { name, key }: TenantTable,
  after: readonly string[] | undefined,
  which: Sql = sql`TRUE`,
): Promise<DeletedBatch | undefined> {
  const [table, columns] = [sql.ref(name), sql.join(key.map((column) => sql.ref(column.name)))];
  const descending = sql.join(key.map((column) => sql`${sql.ref(column.name)} DESC`));
  const texts = sql.join(key.map((column) => sql`${sql.ref(column.name)}::text`));
  const last = sql.join(key.map((column) => sql`(SELECT ${sql.ref(column.name)} FROM last_row)`));
  const lower = after && sql.join(key.map(({ type }, index) => sql`${after[index]}::${new Sql([type], [])}`));
  const remaining = sql.all([sql`workspace_id = ${scope}`, ...(lower ? [sql`(${columns}) > (${lower})`] : [])]);
  const [batch] = await scope.query<{ total: number; last: string[] }>(
    sql`WITH last_row AS MATERIALIZED (
          SELECT ${columns} FROM (
            SELECT ${columns} FROM ${table} WHERE ${remaining} ORDER BY ${columns} LIMIT ${BATCH_SIZE}) batch
          ORDER BY ${descending} LIMIT 1
        ), deleted AS (
          DELETE FROM ${table} WHERE ${remaining} AND (${columns}) <= (${last}) AND (${which}) RETURNING 1
        )
        SELECT (SELECT count(*) FROM deleted) AS total, ARRAY[${texts}] AS last, ${scope}::bigint AS workspace_id
        FROM last_row`,
  );
  return batch;
}
