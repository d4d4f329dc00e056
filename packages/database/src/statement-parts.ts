import type { QueryResultRow } from 'pg';
import { type Sql, sql } from '@outreach/sql-fragments';

/** A part of a statement, which the parts after it can read like a table. */
export interface StatementPart {
  readonly name: string;
  /** Common table expressions that this part alone reads. None of them writes. */
  readonly with?: Sql;
  readonly statement: Sql;
  /** The columns that other parts read, with their types: `id bigint, status text`. Without them, none can be read. */
  readonly columns?: Sql;
  /** In place of {@link columns}: the table whose rows it returns with all of their columns. */
  readonly rowsOf?: string;
}

/** @returns the parts as common table expressions of one statement */
export function inOneStatement(parts: readonly StatementPart[], last: Sql): Sql {
  const statement = withAll(parts.flatMap(expressionsOf), last);
  return last.preparation === 'always' ? statement.prepared() : statement;
}

/**
 * Runs the parts of a statement one after the other. An engine of several nodes copies what one part returns to all nodes
 * if another one inserts it; a statement of its own goes to the node of its tenant, with what it reads as a parameter.
 * @param database with an open transaction
 * @returns the rows of the last part
 */
export async function runParts<Row extends QueryResultRow>(
  database: { query: <Found extends QueryResultRow>(statement: Sql) => Promise<Found[]> },
  parts: readonly StatementPart[],
  last: Sql,
): Promise<Row[]> {
  const returned: Sql[] = [];
  for (const part of parts) {
    const name = sql.ref(part.name);
    if (!isRead(part)) {
      await database.query(withAll([...returned, ...(part.with ? [part.with] : [])], part.statement));
      continue;
    }
    const [row] = await database.query<{ rows: string | null }>(
      withAll(
        [...returned, ...expressionsOf(part)],
        sql`SELECT json_agg(returned_row)::text AS rows FROM ${name} returned_row`,
      ),
    );
    returned.push(sql`${name} AS (${returnedRows(part, row?.rows ?? '[]')})`);
  }
  return database.query<Row>(withAll(returned, last));
}

const isRead = ({ columns, rowsOf }: StatementPart): boolean => columns !== undefined || rowsOf !== undefined;

const expressionsOf = ({ name, with: before, statement }: StatementPart): Sql[] => [
  ...(before ? [before] : []),
  sql`${sql.ref(name)} AS (${statement})`,
];

const returnedRows = ({ name, columns, rowsOf }: StatementPart, rows: string): Sql =>
  rowsOf === undefined
    ? sql`SELECT * FROM json_to_recordset(${rows}::json) AS ${sql.ref(name)} (${columns ?? sql.empty})`
    : sql`SELECT * FROM json_populate_recordset(NULL::${sql.ref(rowsOf)}, ${rows}::json)`;

const withAll = (expressions: readonly Sql[], statement: Sql): Sql =>
  expressions.length === 0 ? statement : sql`WITH ${sql.join(expressions)} ${statement}`;
