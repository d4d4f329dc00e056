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

function inOrder(groups: readonly LogGroup[], direction: 'asc' | 'desc'): LogGroup[] {
  const sign = direction === 'asc' ? 1 : -1;
  return [...groups].sort((a, b) => sign * (compare(a.value, b.value) || compare(a.day, b.day)));
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
