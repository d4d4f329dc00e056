export const OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
  'greater_than',
  'less_than',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const CONNECTORS = ['and', 'or'] as const;
export type Connector = (typeof CONNECTORS)[number];

export const MATCH_TYPES = ['all', 'any'] as const;
/** How conditions join that do not say it themselves: `all` by and, `any` by or. */
export type MatchType = (typeof MATCH_TYPES)[number];

/** A condition as clients write it and as it is stored (API v1, "Segment"). */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  /** Null with the operators that take none. */
  readonly value: string | null;
  /** How it joins the condition before it; null where the segment's match type says so. */
  readonly connector: Connector | null;
}

/** Whether an operator compares with a value. */
export const takesValue = (operator: Operator): boolean => operator !== 'is_empty' && operator !== 'is_not_empty';

/**
 * The conditions as alternatives, each of which must hold as a whole: `and` binds tighter than `or`, as in SQL.
 * @returns for `a or b and c` the groups `[a]` and `[b, c]`
 */
export function alternatives<C extends Pick<Condition, 'connector'>>(
  conditions: readonly C[],
  matchType: MatchType,
): C[][] {
  const groups: C[][] = [];
  for (const condition of conditions) {
    const connector = condition.connector ?? (matchType === 'all' ? 'and' : 'or');
    const open = groups.at(-1);
    if (open && connector === 'and') open.push(condition);
    else groups.push([condition]);
  }
  return groups;
}
