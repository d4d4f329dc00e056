import { keywordOf, type SqlNode } from './nodes.js';

/** A part of a query that starts with a keyword, and its nodes without the keyword. */
export interface Clause {
  readonly keyword: string;
  readonly nodes: readonly SqlNode[];
}

const AT_THE_START = ['select', 'update', 'delete', 'values'];
const ANYWHERE = ['where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch', 'for', 'returning'];
const SET_OPERATIONS = ['union', 'intersect', 'except'];

/** @returns the clauses of a query without `WITH` that is not an `INSERT` */
export function clausesOf(nodes: readonly SqlNode[]): Clause[] {
  const clauses: { keyword: string; nodes: SqlNode[] }[] = [{ keyword: keywordOf(nodes[0]), nodes: [] }];
  for (const [index, node] of nodes.entries()) {
    if (index === 0) continue;
    const clause = clauses.at(-1);
    const before = nodes.slice(Math.max(0, index - 2), index).map(keywordOf);
    if (clause && beginsClause(keywordOf(node), clause.keyword, before)) {
      clauses.push({ keyword: keywordOf(node), nodes: [] });
    } else clause?.nodes.push(node);
  }
  return clauses;
}

function beginsClause(keyword: string, current: string, before: readonly string[]): boolean {
  const previous = before.at(-1);
  if (previous === 'as') return false;
  switch (keyword) {
    case 'from': // In `DELETE FROM` and `IS DISTINCT FROM` it starts no clause.
      return current !== 'delete' && !(previous === 'distinct' && ['is', 'not'].includes(before[0] ?? ''));
    case 'using': // In other statements it belongs to a `JOIN`.
      return current === 'delete';
    case 'set':
      return current === 'update';
    default:
      return ANYWHERE.includes(keyword);
  }
}

/** Whether the nodes are a query, not an expression or a list. */
export function isQuery(nodes: readonly SqlNode[]): boolean {
  const [first, second] = nodes;
  if (first?.type === 'group') return isSetOperation(second) && isQuery(first.nodes);
  return [...AT_THE_START, 'with', 'insert'].includes(keywordOf(first));
}

/** Whether a node is `UNION`, `INTERSECT` or `EXCEPT`. */
export const isSetOperation = (node: SqlNode | undefined): boolean => SET_OPERATIONS.includes(keywordOf(node));
