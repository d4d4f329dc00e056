import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ImportField } from '../contact-fields.js';

/*
 * The temporary tables of one import, dropped at the end of its transaction:
 * import_rows      the valid rows of the file: row number and cells, empty cells are NULL
 * import_contacts  one row for each address
 * import_results   the contacts that the import created, updated, or added to a list or tag
 * import_found     the contacts of all addresses, if they join lists or tags
 * import_stored    the custom fields that the contacts of all addresses have, if the file has some
 * import_changed_… the consents or the statuses that the file changes, if it has some
 * import_refused   the rows that the database has refused; it exists only if there are some
 *
 * The statements join them with contacts of which the planner may know nothing: those that this transaction has created, or
 * all of a new workspace. It takes them for one row, and would read a whole temporary table for each of them if it did not
 * know how long that is, or could not find its row by an index. Nothing else analyzes temporary tables, so each is analyzed when
 * it has been filled.
 *
 * On several nodes these tables are on the coordinator. A statement that writes to one of them, or locks contacts for one, joins
 * it with no contacts at the same time: another statement finds the rows before.
 */

/** A column of contacts that the file fills. */
export type ImportColumn = Exclude<ImportField, 'email'> | 'custom_fields';

/** The columns of the status, in their order. An import has both or none. */
export const STATUS_COLUMNS = ['status', 'unsubscribed_at'] as const;

/** Whether a column is one of the status. */
export const isOfStatus = (column: string): boolean => STATUS_COLUMNS.some((each) => each === column);

/** Creates the tables of rows and results. The columns have the same types as in contacts. */
export async function createTables(scope: WorkspaceScope, columns: readonly ImportColumn[]): Promise<void> {
  await scope.execute(
    sql`CREATE TEMPORARY TABLE import_rows ON COMMIT DROP AS
        SELECT 0 AS row_number, ${names(['email', ...columns])} FROM contacts WHERE workspace_id = ${scope} WITH NO DATA`,
  );
  await scope.execute(
    sql`CREATE TEMPORARY TABLE import_results ON COMMIT DROP AS
        SELECT id AS contact_id, email, '' AS kind FROM contacts WHERE workspace_id = ${scope} WITH NO DATA`,
  );
}

/** Loads the rows, in the text format of COPY. */
export async function copyRows(
  scope: WorkspaceScope,
  columns: readonly ImportColumn[],
  lines: AsyncIterable<string>,
): Promise<void> {
  await scope.copyIn(sql`COPY import_rows (row_number, ${names(['email', ...columns])}) FROM STDIN`, lines);
  await scope.analyze('import_rows');
}

/**
 * Groups the rows by address, in the order of the unique index of contacts, which makes inserting 10 % faster.
 * @param merge `first` takes the first row of each address; `later` lets each filled cell of a later row overwrite
 * those of earlier rows. Of several statuses, the one that excludes most stays, in any order of the rows, with the first date.
 */
export async function groupByAddress(
  scope: WorkspaceScope,
  columns: readonly ImportColumn[],
  merge: 'first' | 'later',
): Promise<void> {
  const grouped =
    merge === 'first'
      ? sql`SELECT DISTINCT ON (email) ${scope}::bigint AS workspace_id,
              ${sql.join([sql.ref('email'), ...columns.map(firstValue)])}
            FROM import_rows ORDER BY email, row_number`
      : sql`SELECT ${scope}::bigint AS workspace_id, ${sql.join([sql.ref('email'), ...columns.map(lastValue)])}
            FROM import_rows GROUP BY email ORDER BY email`;
  await scope.execute(sql`CREATE TEMPORARY TABLE import_contacts ON COMMIT DROP AS ${grouped}`);
  await scope.analyze('import_contacts', 'email');
}

/** Finds the contacts of all addresses, once. */
export async function findByAddress(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`CREATE TEMPORARY TABLE IF NOT EXISTS import_found ON COMMIT DROP AS
        SELECT contact.id AS contact_id FROM import_contacts input
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.email = input.email`,
  );
  await scope.analyze('import_found');
}

/** Finds the custom fields that the contacts of all addresses have, once. */
export async function findCustomFields(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`CREATE TEMPORARY TABLE IF NOT EXISTS import_stored ON COMMIT DROP AS
        SELECT contact.email, contact.custom_fields FROM import_contacts input
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.email = input.email`,
  );
  await scope.analyze('import_stored');
}

/** The rows of `import_contacts` whose contact the import has not created itself. */
export const NOT_CREATED = sql`SELECT input.* FROM import_contacts input
  WHERE NOT EXISTS (SELECT 1 FROM import_results result WHERE result.email = input.email)`;

/**
 * Finds the contacts of which the file changes a column, and locks them. Call it once for each column.
 * @param which a further condition on `input` and `contact`
 * @returns a sub-select of `contact_id`, `old_value` and `new_value`
 */
export async function lockChanged(
  scope: WorkspaceScope,
  column: 'status' | 'tracking_consent',
  which: Sql,
): Promise<Sql> {
  const [table, value] = [sql.ref(`import_changed_${column}`), sql.ref(column)];
  await scope.execute(
    sql`CREATE TEMPORARY TABLE ${table} ON COMMIT DROP AS
        SELECT contact.id AS contact_id, contact.${value} AS old_value, input.${value} AS new_value
        FROM (${NOT_CREATED}) input
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.email = input.email
        WHERE input.${value} <> contact.${value} AND (${which})
        ORDER BY contact.id FOR NO KEY UPDATE OF contact`,
  );
  return sql`SELECT contact_id, old_value, new_value FROM ${table}`;
}

/** Runs a statement that adds rows to `import_results`. @returns their number */
export async function addResults(scope: WorkspaceScope, statement: Sql): Promise<number> {
  const added = await scope.execute(statement);
  if (added > 0) await scope.analyze('import_results');
  return added;
}

/** Names of columns, separated by commas. */
export const names = (columns: readonly string[]): Sql => sql.join(columns.map((column) => sql.ref(column)));

/** From the one that excludes least to the one that excludes most. */
const STATUSES = sql`ARRAY['active', 'bounced', 'unsubscribed', 'complained']`;

/** The status and the date of all rows of an address. @param over the window of these rows, if they are not grouped */
const mergedStatus = (column: 'status' | 'unsubscribed_at', over = sql.empty): Sql =>
  column === 'status'
    ? sql`(${STATUSES})[max(array_position(${STATUSES}, status))${over}] AS status`
    : sql`min(unsubscribed_at)${over} AS unsubscribed_at`;

/** The value of a column in the first row. */
const firstValue = (column: ImportColumn): Sql =>
  column === 'status' || column === 'unsubscribed_at'
    ? mergedStatus(column, sql` OVER (PARTITION BY email)`)
    : sql.ref(column);

/** The last value of a column. For a key that occurs twice, jsonb_object_agg takes the last value. */
function lastValue(column: ImportColumn): Sql {
  if (column === 'status' || column === 'unsubscribed_at') return mergedStatus(column);
  const name = sql.ref(column);
  return column === 'custom_fields'
    ? sql`(SELECT jsonb_object_agg(field.key, field.value ORDER BY fields.position)
           FROM unnest(array_agg(custom_fields ORDER BY row_number)) WITH ORDINALITY AS fields (of_row, position)
           CROSS JOIN jsonb_each(fields.of_row) AS field) AS custom_fields`
    : sql`(array_agg(${name} ORDER BY row_number DESC) FILTER (WHERE ${name} IS NOT NULL))[1] AS ${name}`;
}
