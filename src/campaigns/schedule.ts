import { IANAZone } from 'luxon';

/** When a campaign may send: local wall-clock times on weekdays of an IANA time zone. */
export interface Schedule {
  readonly timezone: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** `HH:MM`, inclusive. */
  readonly start: string;
  /** `HH:MM`, exclusive; later than `start`. */
  readonly end: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Whether a message may go out at `instant`. A local hour that happens twice is inside twice. */
export function insideSchedule(schedule: Schedule, instant: Date): boolean {
  const local = localTime(zoneOf(schedule), instant.getTime());
  const sinceMidnight = local - dayStart(local);
  return (
    schedule.days.includes(weekday(local)) &&
    sinceMidnight >= clockTime(schedule.start) &&
    sinceMidnight < clockTime(schedule.end)
  );
}

/**
 * The first instant from `instant` on at which a message may go out: `instant` itself where it is inside.
 * Local times that a change of clocks leaves out begin with the first one after them.
 */
export function nextSlot(schedule: Schedule, instant: Date): Date {
  const zone = zoneOf(schedule);
  let at = instant.getTime();
  while (!insideSchedule(schedule, new Date(at))) {
    const opening = at + untilOpening(schedule, localTime(zone, at));
    at = firstChange(zone, at, opening) ?? opening;
  }
  return new Date(at);
}

const zoneOf = ({ timezone }: Schedule): IANAZone => IANAZone.create(timezone);

/** The wall clock as milliseconds, as if it were UTC. */
const localTime = (zone: IANAZone, at: number): number => at + zone.offset(at) * MINUTE_MS;

const dayStart = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS;

/** 1 is Monday. Day 0, the first of January 1970, was a Thursday; days before it count too. */
function weekday(local: number): number {
  const day = dayStart(local) / DAY_MS;
  return ((((day + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}

/** `HH:MM` as milliseconds since midnight. */
function clockTime(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** How long it is to the next opening by a clock that nobody changes. */
function untilOpening({ days, start }: Schedule, local: number): number {
  for (let day = 0; day <= WEEK_DAYS; day++) {
    const opening = dayStart(local) + day * DAY_MS + clockTime(start);
    if (opening > local && days.includes(weekday(opening))) return opening - local;
  }
  throw new Error('A schedule needs a day.');
}

/** When, after `from` and until `to`, the zone's clocks are changed first, to the millisecond. */
function firstChange(zone: IANAZone, from: number, to: number): number | undefined {
  const offset = zone.offset(from);
  if (zone.offset(to) === offset) return undefined;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offset(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
