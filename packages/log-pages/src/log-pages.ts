/** A value of a column by which logs can be sorted, other than `created_at`. */
export type LogValue = string | number | boolean;

/** The event names and status codes that occur in a group of logs. */
export interface LogKinds {
  readonly events: readonly string[];
  readonly status_codes: readonly number[];
}

/** The number of matching logs of one day (UTC, `YYYY-MM-DD`) with the same value in the sort column. */
export interface LogGroup extends LogKinds {
  readonly day: string;
  /** Null if the list is sorted by `created_at`. */
  readonly value: LogValue | null;
  readonly total: number;
}

/** A part of a page: logs of consecutive days with one value, after the first `offset` of them. */
export interface LogRange extends LogKinds {
  readonly first_day: string;
  readonly last_day: string;
  readonly value: LogValue | null;
  readonly offset: number;
  readonly limit: number;
}

/** The log after which a page with a cursor begins. */
export interface LastLog {
  readonly id: number;
  readonly value: LogValue | null;
  /** The instant at which it was created, and so its day. */
  readonly created_at: string;
}

/** The position of a page in a list. */
export interface PageWindow {
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly per_page: number;
}

/** Returns the number of logs in all groups. */
export const totalOf = (groups: readonly LogGroup[]): number => groups.reduce((sum, { total }) => sum + total, 0);

/**
 * Returns the ranges that make up a page, in its order: by value and then by day, both in the same direction. Within one
 * value, sorting by day is the same as sorting by ID. Ranges of consecutive days are joined.
 */
export function rangesOf(groups: readonly LogGroup[], { direction, offset, per_page: size }: PageWindow): LogRange[] {
  const ranges: LogRange[] = [];
  let passed = 0;
  for (const { day, total, ...alike } of inOrder(groups, direction)) {
    const skipped = Math.min(Math.max(offset - passed, 0), total);
    const taken = Math.min(total, offset + size - passed) - skipped;
    passed += total;
    if (taken <= 0) continue;
    const own = { ...alike, first_day: day, last_day: day, offset: skipped, limit: taken };
    const before = ranges.at(-1);
    if (before && isContinued(before, own)) ranges[ranges.length - 1] = joined(before, own);
    else ranges.push(own);
  }
  return ranges;
}

/**
 * Returns the ranges that have the first `per_page` logs after `last`, or more. Each is of one day, so that sorting by day and
 * then by ID stays the same from page to page; the first may begin before `last`.
 */
export function rangesAfter(
  groups: readonly LogGroup[],
  { direction, per_page: size }: Omit<PageWindow, 'offset'>,
  last?: LastLog,
): LogRange[] {
  const sign = direction === 'asc' ? 1 : -1;
  const reached = last && { value: last.value, day: last.created_at.slice(0, DAY_LENGTH) };
  const isReached = (group: LogGroup): boolean => reached !== undefined && compareGroups(group, reached) === 0;
  const ranges: LogRange[] = [];
  let remaining = size;
  for (const group of inOrder(groups, direction)) {
    if (reached && sign * compareGroups(group, reached) < 0) continue;
    if (remaining <= 0) break;
    const { day, total, ...alike } = group;
    ranges.push({ ...alike, first_day: day, last_day: day, offset: 0, limit: size });
    // It is unknown how many logs of the first group follow `last`.
    if (!isReached(group)) remaining -= total;
  }
  return ranges;
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

const compareGroups = (one: Pick<LogGroup, 'value' | 'day'>, other: Pick<LogGroup, 'value' | 'day'>): number =>
  compare(one.value, other.value) || compare(one.day, other.day);

function inOrder(groups: readonly LogGroup[], direction: 'asc' | 'desc'): LogGroup[] {
  const sign = direction === 'asc' ? 1 : -1;
  return [...groups].sort((a, b) => sign * compareGroups(a, b));
}

const compare = <T extends LogValue | null>(one: T, other: T): number =>
  one === other || one === null || other === null ? 0 : one < other ? -1 : 1;

/** Days in between may have many logs that do not match, so only consecutive days are joined. */
function isContinued(before: LogRange, next: LogRange): boolean {
  if (before.value !== next.value) return false;
  return dayAfter(before.last_day) === next.first_day || dayAfter(next.last_day) === before.first_day;
}

const joined = (before: LogRange, next: LogRange): LogRange => ({
  ...before,
  first_day: before.first_day < next.first_day ? before.first_day : next.first_day,
  last_day: before.last_day > next.last_day ? before.last_day : next.last_day,
  limit: before.limit + next.limit,
  events: [...new Set([...before.events, ...next.events])],
  status_codes: [...new Set([...before.status_codes, ...next.status_codes])],
});

const DAY_MS = 86_400_000;

/** Returns the next day (UTC). */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
