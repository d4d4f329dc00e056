import { type Sql, sql } from './sql.js';

/** What `EXPLAIN (FORMAT JSON)` of one statement returns. */
export interface ExplainedRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** What it returns for {@link explainAll}. */
export interface ExplainRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly Plans: readonly { readonly 'Total Cost': number }[] } }];
}

/** @returns one statement that explains all of them: each is a sub-plan of it, in their order */
export const explainAll = (statements: readonly Sql[]): Sql =>
  sql`EXPLAIN (FORMAT JSON) SELECT ${sql.join(statements.map((statement) => sql`(${statement})`))}`;

/** @returns the costs of `statements` from the result of {@link explainAll} */
export function costsOf(statements: readonly Sql[], [row]: readonly ExplainRow[]): number[] {
  const plans = row?.['QUERY PLAN'][0].Plan.Plans ?? [];
  return statements.map((_, index) => plans[index]?.['Total Cost'] ?? 0);
}

/**
 * @param costs returns the costs of statements
 * @returns the statement of each set with the lowest cost, the first one if costs are equal
 */
export async function cheapestOf(
  sets: readonly (readonly Sql[])[],
  costs: (statements: readonly Sql[]) => Promise<number[]>,
): Promise<Sql[]> {
  const open = sets.filter((set) => set.length > 1).flat();
  const found = await costs(open);
  const costOf = new Map(open.map((statement, index) => [statement, found[index] ?? 0]));
  return sets.map((set) => leastBy(set, (statement) => costOf.get(statement) ?? 0));
}

function leastBy(set: readonly Sql[], cost: (statement: Sql) => number): Sql {
  const [first, ...others] = set;
  if (!first) throw new Error('A set of statements is empty.');
  return others.reduce((best, other) => (cost(other) < cost(best) ? other : best), first);
}
