/** The operators of conditions (API v1, "Segment"). */
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
/** The operator of a condition. */
export type Operator = (typeof OPERATORS)[number];

/** The connectors of conditions. */
export const CONNECTORS = ['and', 'or'] as const;
/** How a condition is joined with the one before it. */
export type Connector = (typeof CONNECTORS)[number];

/** The match types of a segment. */
export const MATCH_TYPES = ['all', 'any'] as const;
/** How conditions without a connector are joined: `all` by and, `any` by or. */
export type MatchType = (typeof MATCH_TYPES)[number];

/** A condition of a segment, as stored (API v1, "Segment"). */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  /** Null if the operator takes no value. */
  readonly value: string | null;
  /** How it is joined with the previous condition; by the segment's match type if null. */
  readonly connector: Connector | null;
}

/** Returns whether an operator requires a value. */
export const takesValue = (operator: Operator): boolean => operator !== 'is_empty' && operator !== 'is_not_empty';

/**
 * Groups conditions into alternatives. The conditions of a group are joined by `and`, which binds tighter than `or`.
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
