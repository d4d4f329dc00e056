import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** A row that the database has refused. */
export interface RefusedRow {
  readonly row_number: number;
  /** The cell that is wrong; null if it is not a single one. */
  readonly value: string | null;
}

/** Why rows are refused. */
export interface RowRefusal {
  readonly field: string;
  readonly message: string;
}

/** The first refused rows, and the number of all refused rows. */
export interface RefusedSet {
  readonly rows: readonly RefusedRow[];
  readonly total: number;
}

export const NONE_REFUSED: RefusedSet = { rows: [], total: 0 };

const MAX_REPORTED = 100;
const BATCH = 5_000;

/**
 * Refuses rows, and remembers all of them in the temporary table `import_refused`.
 * @param deletion common table expressions, one of them `refused` with the numbers and values of the deleted rows
 */
export async function refuseRows(
  scope: WorkspaceScope,
  deletion: Sql,
  { field, message }: RowRefusal,
): Promise<RefusedSet> {
  await scope.execute(
    sql`CREATE TEMPORARY TABLE IF NOT EXISTS import_refused ON COMMIT DROP AS
        SELECT 0 AS row_number, first_name AS value, first_name AS field, first_name AS message
        FROM contacts WHERE workspace_id = ${scope} WITH NO DATA`,
  );
  const found = await scope.query<RefusedRow & { row_number: number; total: number }>(
    sql`WITH ${deletion}, remembered AS (
          INSERT INTO import_refused (row_number, value, field, message)
          SELECT row_number, value, ${field}, ${message} FROM refused)
        SELECT row_number, value, count(*) OVER () AS total, ${scope}::bigint AS workspace_id FROM refused
        ORDER BY row_number LIMIT ${MAX_REPORTED}`,
  );
  return { rows: found, total: found[0]?.total ?? 0 };
}

/**
 * Deletes addresses of the file.
 * @param addresses a SELECT of their `email` @param value the cell of a row that is wrong
 * @returns all their rows
 */
export async function refuseAddresses(
  scope: WorkspaceScope,
  refusal: RowRefusal,
  addresses: Sql,
  value = sql`NULL::text`,
): Promise<RefusedSet> {
  const found = await scope.query<{ email: string }>(addresses);
  if (found.length === 0) return NONE_REFUSED;
  return refuseRows(
    scope,
    sql`refused_contacts AS (
          DELETE FROM import_contacts input
          WHERE input.workspace_id = ${scope} AND input.email = ANY(${found.map(({ email }) => email)}::text[])
          RETURNING input.email
        ), refused AS (
          DELETE FROM import_rows USING refused_contacts WHERE import_rows.email = refused_contacts.email
          RETURNING import_rows.row_number, ${value} AS value)`,
    refusal,
  );
}

/** Yields all rows that {@link refuseRows} has refused in this transaction, in the order of the file. */
export async function* refusedRows(scope: WorkspaceScope): AsyncGenerator<RefusedRow & RowRefusal> {
  let last = 0;
  for (;;) {
    const rows = await scope.query<RefusedRow & RowRefusal & { row_number: number }>(
      sql`SELECT row_number, value, field, message, ${scope}::bigint AS workspace_id FROM import_refused
          WHERE row_number > ${last} ORDER BY row_number LIMIT ${BATCH}`,
    );
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return;
    last = end.row_number;
  }
}
