/** What a list of logs may be sorted by beside the instant. */
export type LogValue = string | number | boolean;

/** What the logs of a group are called, and were answered. */
export interface LogKinds {
  readonly events: readonly string[];
  readonly status_codes: readonly number[];
}

/** How many logs of a day (UTC, `YYYY-MM-DD`) match, with the same value in what a list is sorted by. */
export interface LogGroup extends LogKinds {
  readonly day: string;
  /** Null in a list that is sorted by the instant. */
  readonly value: LogValue | null;
  readonly total: number;
}

/** Logs that stand together in a list: of some days in a row, with one value, after `offset` others of them. */
export interface LogRange extends LogKinds {
  readonly first_day: string;
  readonly last_day: string;
  readonly value: LogValue | null;
  readonly offset: number;
  readonly limit: number;
}

/** Which part of a list a page is. */
export interface PageWindow {
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly per_page: number;
}

/** All logs of the groups. */
export const totalOf = (groups: readonly LogGroup[]): number => groups.reduce((sum, { total }) => sum + total, 0);

/**
 * The slices that make up a page, in its order: by value, and among equals by the day, which is as by ID; both in the
 * same direction. Days that follow each other become one slice.
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

/** Only neighbours: the days between others may hold many logs, and none that matches. */
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

/** The next day (UTC). */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
