import { keywordOf, splitNodes, type SqlNode } from './nodes.js';

/** A comparison `left = right` of columns or parameters. */
export interface Equality {
  readonly left: SqlNode;
  readonly right: SqlNode;
  /** In an outer join, the relations whose rows the comparison restricts. */
  readonly restricts?: readonly object[];
}

/** @returns the equalities that hold if the condition is true: those of `AND`, and those in every operand of `OR` */
export function equalitiesOf(condition: readonly SqlNode[]): Equality[] {
  const [first = [], ...others] = splitNodes(condition, (node) => keywordOf(node) === 'or');
  const known = others.map((other) => new Set(conjunction(other).map(keyOf)));
  return conjunction(first).filter((equality) => known.every((keys) => keys.has(keyOf(equality))));
}

/** @returns a value without its casts, parentheses and a `SELECT` of it alone, or `undefined` if it is more than one node */
export function operandOf(nodes: readonly SqlNode[]): SqlNode | undefined {
  const [first, second] = nodes;
  // A value with a cast is three nodes: more would be a clause.
  if (first && keywordOf(first) === 'select') return nodes.length <= 4 ? operandOf(nodes.slice(1)) : undefined;
  const hasType = second?.type === 'symbol' && second.text === '::';
  if (!first || (nodes.length > 1 && !hasType)) return undefined;
  return first.type === 'group' && first.open === '(' ? (operandOf(first.nodes) ?? first) : first;
}

/** @returns the items of a list that is separated by commas */
export const listItems = (nodes: readonly SqlNode[]): SqlNode[][] =>
  splitNodes(nodes, (node) => node.type === 'symbol' && node.text === ',');

const conjunction = (nodes: readonly SqlNode[]): Equality[] =>
  splitNodes(nodes, (node) => keywordOf(node) === 'and').flatMap(comparison);

function comparison(nodes: readonly SqlNode[]): Equality[] {
  const [only] = nodes;
  if (nodes.length === 1 && only?.type === 'group' && only.open === '(') return equalitiesOf(only.nodes);
  const [left, right, ...others] = splitNodes(nodes, (node) => node.type === 'symbol' && node.text === '=');
  return left && right && others.length === 0 ? equal(left, right) : [];
}

function equal(left: readonly SqlNode[], right: readonly SqlNode[]): Equality[] {
  const [one, other] = [operandOf(left), operandOf(right)];
  if (!one || !other) return [];
  if (one.type !== 'group' || other.type !== 'group') return [{ left: one, right: other }];
  const values = listItems(other.nodes);
  return listItems(one.nodes).flatMap((item, index) => equal(item, values[index] ?? []));
}

const keyOf = ({ left, right }: Equality): string =>
  [left, right]
    .map((node) => JSON.stringify(node))
    .sort()
    .join('=');
