import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { contactChanges } from './segment-counts.queries.js';

/** From this cost on, in PostgreSQL's units, the IDs are returned so that the search is not repeated; about 20 ms. */
const MIN_COST_TO_REUSE_IDS = 10_000;
const MAX_REUSED_IDS = 5000;

/** The highest ratio of the cost of finding IDs to that of counting, which may use an index-only scan. */
const MAX_FIND_TO_COUNT_COST = 1.25;

/** The contacts that meet conditions. */
export interface FoundContacts {
  readonly total: number;
  /** Their IDs, if the search was expensive and found few. */
  readonly ids?: readonly number[] | undefined;
  /** The number of {@link contactChanges} in the snapshot of the same statement. */
  readonly changes: number;
}

/**
 * Counts contacts with the cheapest statement.
 * @param conditions equivalent conditions on `record`
 * @param counts statements that return the same number; by default derived from the conditions
 */
export async function findContacts(
  tx: WorkspaceScope,
  conditions: readonly Sql[],
  counts: readonly Sql[] = [],
): Promise<FoundContacts> {
  const counting = counts.length > 0 ? counts : conditions.map((condition) => countOf(tx, condition));
  const finding = conditions.map((condition) => findingOf(tx, condition));
  const costs = await tx.costs([...counting, ...finding]);
  const least = Math.min(...costs.slice(0, counting.length));
  const leastToFind = Math.min(...costs.slice(counting.length));
  if (leastToFind < MIN_COST_TO_REUSE_IDS || leastToFind > MAX_FIND_TO_COUNT_COST * least) {
    return count(tx, counting[costs.indexOf(least)]);
  }
  return find(tx, conditions[costs.lastIndexOf(leastToFind) - counting.length]);
}

async function count(tx: WorkspaceScope, statement: Sql | undefined): Promise<FoundContacts> {
  const [found] = await tx.query<{ total: number; changes: number }>(
    sql`SELECT ${contactChanges(tx)} AS changes, (${statement}) AS total`,
  );
  if (!found) throw new Error('The statement returned no row.');
  return found;
}

async function find(tx: WorkspaceScope, condition: Sql | undefined): Promise<FoundContacts> {
  const [found] = await tx.query<{ total: number; changes: number; ids: number[] | null }>(
    sql`SELECT ${contactChanges(tx)} AS changes, count(*) AS total,
          to_json((array_agg(record.id))[1:${MAX_REUSED_IDS + 1}::int]) AS ids
        FROM contacts record WHERE record.workspace_id = ${tx} AND (${condition})`,
  );
  if (!found) throw new Error('The statement returned no row.');
  const { total, changes, ids } = found;
  return { total, changes, ids: total <= MAX_REUSED_IDS ? (ids ?? []) : undefined };
}

const findingOf = (tx: WorkspaceScope, condition: Sql): Sql =>
  sql`SELECT array_agg(record.id) FROM contacts record WHERE record.workspace_id = ${tx} AND (${condition})`;

/** SELECT of the number of contacts that meet a condition on `record`. */
export const countOf = (tx: WorkspaceScope, condition: Sql): Sql =>
  sql`SELECT count(*) FROM contacts record WHERE record.workspace_id = ${tx} AND (${condition})`;
