import type { TenantDatabase } from './tenant-database.js';
import { type Sql, sql } from '@outreach/sql-fragments';

/** What `EXPLAIN (FORMAT JSON)` of one statement returns. */
export interface ExplainedRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** What it returns for {@link explainAll}. */
interface ExplainRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly Plans: readonly { readonly 'Total Cost': number }[] } }];
}

/** @returns one statement that explains all of them: each is a sub-plan of it, in their order */
const explainAll = (statements: readonly Sql[]): Sql =>
  sql`EXPLAIN (FORMAT JSON) SELECT ${sql.join(statements.map((statement) => sql`(${statement})`))}`;

/** @returns the costs of `statements` from the result of {@link explainAll} */
function costsOf(statements: readonly Sql[], [row]: readonly ExplainRow[]): number[] {
  const plans = row?.['QUERY PLAN'][0].Plan.Plans ?? [];
  return statements.map((_, index) => plans[index]?.['Total Cost'] ?? 0);
}

/**
 * @param statements return one value each, and are not run
 * @returns the cost that PostgreSQL estimates for each, in its own units
 */
export async function costs(database: TenantDatabase, statements: readonly Sql[]): Promise<number[]> {
  if (statements.length === 0) return [];
  return costsOf(statements, await database.query<ExplainRow>(explainAll(statements)));
}

/**
 * @param sets each statement returns one value; all statements of a set return the same value
 * @returns for each set, the statement with the lowest cost by PostgreSQL's estimate; the first one if costs are equal
 */
export async function cheapest(database: TenantDatabase, sets: readonly (readonly Sql[])[]): Promise<Sql[]> {
  const open = sets.filter((set) => set.length > 1).flat();
  const found = await costs(database, open);
  const costOf = new Map(open.map((statement, index) => [statement, found[index] ?? 0]));
  return sets.map((set) => leastBy(set, (statement) => costOf.get(statement) ?? 0));
}

function leastBy(set: readonly Sql[], cost: (statement: Sql) => number): Sql {
  const [first, ...others] = set;
  if (!first) throw new Error('A set of statements is empty.');
  return others.reduce((best, other) => (cost(other) < cost(best) ? other : best), first);
}
