import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { contactChanges } from './segment-counts.queries.js';

/** The cost, in PostgreSQL's units, from which contacts are not looked for a second time: some 20 ms. */
const WORTH_KEEPING = 10_000;
const MOST_KEPT = 5000;

/** Contacts that meet conditions. */
export interface FoundContacts {
  readonly total: number;
  /** Who they are, where it was much work to find them and they are few. */
  readonly ids?: readonly number[] | undefined;
  /** The number of changes to contacts that the same statement saw. */
  readonly changes: number;
}

/**
 * Counts contacts in the way that is least work.
 * @param conditions ways to say the same of `record`
 * @param counts statements that give the same number without saying of whom
 */
export async function findContacts(
  tx: WorkspaceScope,
  conditions: readonly Sql[],
  counts: readonly Sql[] = [],
): Promise<FoundContacts> {
  const statements = [...conditions.map((condition) => countOf(tx, condition)), ...counts];
  const costs = await tx.costs(statements);
  const least = costs.indexOf(Math.min(...costs));
  const condition = (costs[least] ?? 0) < WORTH_KEEPING ? undefined : conditions[least];
  const [found] = await tx.query<Omit<FoundContacts, 'ids'> & { ids: number[] | null }>(
    condition
      ? sql`SELECT ${contactChanges(tx)} AS changes, count(*) AS total,
              to_json((array_agg(record.id))[1:${MOST_KEPT + 1}::int]) AS ids
            FROM contacts record WHERE record.workspace_id = ${tx} AND (${condition})`
      : sql`SELECT ${contactChanges(tx)} AS changes, (${statements[least]}) AS total, NULL AS ids`,
  );
  if (!found) throw new Error('The statement gives one row.');
  const { total, changes, ids } = found;
  return { total, changes, ids: condition && total <= MOST_KEPT ? (ids ?? []) : undefined };
}

/** The number of contacts that meet a condition on `record`. */
export const countOf = (tx: WorkspaceScope, condition: Sql): Sql =>
  sql`SELECT count(*) FROM contacts record WHERE record.workspace_id = ${tx} AND (${condition})`;
