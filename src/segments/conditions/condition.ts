/**
 * How a condition compares its field with its value. Texts take the first eight; numbers and dates `equals`,
 * `not_equals`, `is_empty`, `is_not_empty`, `greater_than` and `less_than`; everything else the first two and
 * `is_empty`, `is_not_empty`. The operators with `not_` are also true for contacts whose field is empty.
 */
export const OPERATORS = [
  /**
   * The whole value is the same, also in upper and lower case. A date means the whole day in UTC. For `tag_id` and
   * `list_id`: the contact has the tag, or is in the list.
   */
  'equals',
  /** The contrary of `equals`. */
  'not_equals',
  /** The text contains the value; upper and lower case do not matter. */
  'contains',
  /** The contrary of `contains`. */
  'not_contains',
  /** The text begins with the value; upper and lower case do not matter. */
  'starts_with',
  /** The text ends with the value; upper and lower case do not matter. */
  'ends_with',
  /** There is no value, or an empty text; for `tag_id` and `list_id`: no tags or lists at all. Takes no `value`. */
  'is_empty',
  /** The contrary of `is_empty`. Takes no `value`. */
  'is_not_empty',
  /** The number is greater, or the date is later. A day means its end in UTC. */
  'greater_than',
  /** The number is smaller, or the date is earlier. A day means its beginning in UTC. */
  'less_than',
] as const;
/** The operator of a condition. */
export type Operator = (typeof OPERATORS)[number];

/**
 * How a condition is joined with the one before it, as in SQL: `and` binds tighter than `or`, so `a or b and c`
 * means `a or (b and c)`.
 */
export const CONNECTORS = [
  /** Both must be true. */
  'and',
  /** One of them must be true. */
  'or',
] as const;
/** How a condition is joined with the one before it. */
export type Connector = (typeof CONNECTORS)[number];

/** How conditions without a `connector` are joined. */
export const MATCH_TYPES = [
  /** All must be true (`and`). */
  'all',
  /** One must be true (`or`). */
  'any',
] as const;
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
