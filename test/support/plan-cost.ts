import type { Sql } from '../../src/platform/database/index.js';
import type { TestDatabase } from './test-database.js';

/** A node of `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a statement has read. */
export interface PlanCost {
  /** The largest number of rows that a part of it has read of a table. */
  readonly rows: number;
  /** The tables that it has read as a whole. */
  readonly scanned: readonly (string | undefined)[];
  /** The blocks that it has read, with those of its indexes. */
  readonly blocks: number;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

/** Runs a statement, and returns what it has read of these tables. At least one of them is in its plan. */
export async function planCost(database: TestDatabase, statement: Sql, tables: readonly string[]): Promise<PlanCost> {
  const { text, values } = statement.toQuery();
  const [explained] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  const root = explained?.['QUERY PLAN'][0].Plan;
  const large = (root ? nodesOf(root) : []).filter((node) => tables.includes(node['Relation Name'] ?? ''));
  expect(large.length).toBeGreaterThan(0);
  return {
    rows: Math.max(...large.map(rowsOf)),
    scanned: large.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    blocks: (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0),
  };
}
