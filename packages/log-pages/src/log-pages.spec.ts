import fc from 'fast-check';
import { dayAfter, type LogGroup, type LogRange, type LogValue, rangesOf, totalOf } from './log-pages.js';

interface Log {
  readonly id: number;
  readonly day: string;
  readonly value: LogValue | null;
}

const KINDS = { events: ['email.sent'], status_codes: [200] };
const DAYS = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2026, 1, 22 + index)).toISOString().slice(0, 10),
);

/** Generates logs whose IDs increase with their days, like those of the database. */
const logs = (values: fc.Arbitrary<LogValue | null>): fc.Arbitrary<Log[]> =>
  fc
    .array(fc.record({ day: fc.constantFrom(...DAYS), value: values }), { maxLength: 60 })
    .map((all) => all.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)).map((log, id) => ({ ...log, id })));

const anyLogs = fc.oneof(
  logs(fc.constant(null)),
  logs(fc.boolean()),
  logs(fc.constantFrom(0, 200, 404, 500)),
  logs(fc.constantFrom('email.sent', 'email.opened', 'contact.created')),
);

function groupsOf(all: readonly Log[]): LogGroup[] {
  const groups = new Map<string, LogGroup>();
  for (const { day, value } of all) {
    const key = JSON.stringify([day, value]);
    groups.set(key, { day, value, total: (groups.get(key)?.total ?? 0) + 1, ...KINDS });
  }
  return [...groups.values()];
}

const sorted = (all: readonly Log[], direction: 'asc' | 'desc'): Log[] => {
  const sign = direction === 'asc' ? 1 : -1;
  const rank = ({ value }: Log): number | string => (value === null ? 0 : typeof value === 'string' ? value : +value);
  return [...all].sort((a, b) => sign * (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : a.id - b.id));
};

/** Returns the logs that the query of a range would return. */
const read = (all: readonly Log[], range: LogRange, direction: 'asc' | 'desc'): Log[] => {
  const within = all.filter(
    ({ day, value }) => day >= range.first_day && day <= range.last_day && value === range.value,
  );
  return sorted(within, direction).slice(range.offset, range.offset + range.limit);
};

const windows = fc.record({
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  offset: fc.nat(80),
  per_page: fc.integer({ min: 1, max: 30 }),
});

describe('rangesOf', () => {
  it('returns the same page as sorting all logs and slicing the result', () => {
    fc.assert(
      fc.property(anyLogs, windows, (all, window) => {
        const ranges = rangesOf(groupsOf(all), window);
        const page = ranges.flatMap((range) => read(all, range, window.direction));
        expect(page).toEqual(sorted(all, window.direction).slice(window.offset, window.offset + window.per_page));
        expect(totalOf(groupsOf(all))).toBe(all.length);
      }),
      { numRuns: 500 },
    );
  });

  it('joins consecutive days and no others', () => {
    const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-03'];
    const groups = days.map((day) => ({ day, value: null, total: 2, ...KINDS }));
    expect(rangesOf(groups, { direction: 'desc', offset: 1, per_page: 6 })).toEqual([
      { first_day: '2026-03-03', last_day: '2026-03-03', value: null, offset: 1, limit: 1, ...KINDS },
      { first_day: '2026-02-27', last_day: '2026-03-01', value: null, offset: 0, limit: 5, ...KINDS },
    ]);
  });

  it('returns the events and status codes of all joined days', () => {
    const groups = [
      { day: '2026-02-27', value: null, total: 1, events: ['email.sent', 'email.opened'], status_codes: [200] },
      { day: '2026-02-28', value: null, total: 1, events: ['email.sent'], status_codes: [200, 500] },
    ];
    expect(rangesOf(groups, { direction: 'asc', offset: 0, per_page: 15 })).toEqual([
      expect.objectContaining({ limit: 2, events: ['email.sent', 'email.opened'], status_codes: [200, 500] }),
    ]);
  });

  it('never includes a day that has no matching log', () => {
    fc.assert(
      fc.property(anyLogs, windows, (all, window) => {
        const groups = groupsOf(all);
        for (const { first_day: first, last_day: last, value } of rangesOf(groups, window)) {
          for (let day = first; day <= last; day = dayAfter(day)) {
            expect(groups.some((group) => group.day === day && group.value === value)).toBe(true);
          }
        }
      }),
    );
  });

  it('returns no ranges for a page after the end', () => {
    const groups = [{ day: '2026-02-27', value: null, total: 3, ...KINDS }];
    expect(rangesOf(groups, { direction: 'asc', offset: 3, per_page: 15 })).toEqual([]);
    expect(rangesOf(groups, { direction: 'asc', offset: 2 ** 53 * 100, per_page: 100 })).toEqual([]);
  });
});
