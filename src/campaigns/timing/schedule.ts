import { DateTime, FixedOffsetZone } from 'luxon';

/** When a campaign may send: local times on weekdays, in an IANA time zone. */
export interface Schedule {
  readonly timezone: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** `HH:MM`, inclusive. */
  readonly start: string;
  /** `HH:MM`, exclusive; later than `start`. */
  readonly end: string;
}

const WEEK_DAYS = 7;

/** Whether a message may be sent at `instant`. A local hour that occurs twice is inside the schedule twice. */
export const insideSchedule = (schedule: Schedule, instant: Date): boolean =>
  isOpen(schedule, localTime(schedule, instant));

/**
 * Returns the first instant, not before `instant`, at which a message may be sent; `instant` itself if it is inside the
 * schedule. If a change of the zone's offset skips the start, this is the first instant after the skipped local times.
 */
export function nextSlot(schedule: Schedule, instant: Date): Date {
  let local = localTime(schedule, instant);
  while (!isOpen(schedule, local)) {
    const opening = nextOpening(schedule, local).setZone(schedule.timezone);
    local = firstOffsetChange(local, opening) ?? opening;
  }
  return local.toJSDate();
}

const localTime = ({ timezone }: Schedule, instant: Date): DateTime => DateTime.fromJSDate(instant, { zone: timezone });

function isOpen({ days, start, end }: Schedule, local: DateTime): boolean {
  const minute = local.hour * 60 + local.minute;
  return days.includes(local.weekday) && minute >= minuteOfDay(start) && minute < minuteOfDay(end);
}

/** The minutes from 00:00 to `HH:MM`. */
function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The next opening after `local` if the zone keeps its current offset, in which no local time is skipped or repeated. */
function nextOpening({ days, start }: Schedule, local: DateTime): DateTime {
  const today = local.setZone(FixedOffsetZone.instance(local.offset)).startOf('day');
  for (let day = 0; day <= WEEK_DAYS; day++) {
    const opening = today.plus({ days: day, minutes: minuteOfDay(start) });
    if (opening > local && days.includes(opening.weekday)) return opening;
  }
  throw new Error('A schedule must have at least one day.');
}

/** The first instant after `from`, up to `to`, with another offset; to the millisecond. Luxon does not list transitions. */
function firstOffsetChange(from: DateTime, to: DateTime): DateTime | undefined {
  if (to.offset === from.offset) return undefined;
  let [before, after] = [from.toMillis(), to.toMillis()];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (from.zone.offset(middle) === from.offset) before = middle;
    else after = middle;
  }
  return DateTime.fromMillis(after, { zone: from.zone });
}
