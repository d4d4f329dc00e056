import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';

/** When a campaign may send: local times on weekdays, in an IANA time zone. */
export interface Schedule {
  readonly timezone: string;
  /** The weekdays on which a window begins. 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** `HH:MM`, inclusive. */
  readonly start: string;
  /** `HH:MM`, exclusive. If it is earlier than `start`, the window ends on the day after it begins. */
  readonly end: string;
  /** Days on which no window begins, as `YYYY-MM-DD`. Schedules of earlier versions have none. */
  readonly holidays?: readonly string[];
  /** Whether it holds in the zone of the contact, if that is known. */
  readonly contact_timezone?: boolean;
}

const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4;
/** More than changes of the offset that can follow each other on the way to a window. */
const MAX_STEPS = 100;

/** Returns the schedule for a contact in a time zone. A zone that is null or unknown is that of the schedule. */
export const scheduleFor = (schedule: Schedule, timezone: string | null): Schedule =>
  schedule.contact_timezone && timezone !== null && IANAZone.create(timezone).isValid
    ? { ...schedule, timezone }
    : schedule;

/** Whether a message may be sent at `instant`. A local hour that occurs twice is inside the schedule twice. */
export const insideSchedule = (schedule: Schedule, instant: Date): boolean =>
  isOpen(windowsOf(schedule), localTime(schedule, instant));

/**
 * Returns the first instant, not before `instant`, at which a message may be sent; `instant` itself if it is inside the
 * schedule. If a change of the zone's offset skips the start, this is the first instant after the skipped local times.
 * Returns null if there is none.
 */
export function nextSlot(schedule: Schedule, instant: Date): Date | null {
  const windows = windowsOf(schedule);
  let local = localTime(schedule, instant);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (isOpen(windows, local)) return local.toJSDate();
    const next = nextOpening(windows, local)?.setZone(schedule.timezone);
    if (!next) return null;
    local = firstOffsetChange(local, next) ?? next;
  }
  return null;
}

const localTime = ({ timezone }: Schedule, instant: Date): DateTime => DateTime.fromJSDate(instant, { zone: timezone });

interface Windows {
  readonly start: number;
  readonly end: number;
  readonly days: readonly number[];
  readonly holidays: ReadonlySet<number>;
}

const windowsOf = ({ days, start, end, holidays = [] }: Schedule): Windows => ({
  start: minuteOfDay(start),
  end: minuteOfDay(end),
  days,
  holidays: new Set(holidays.map((day) => Date.parse(day) / DAY_MS)),
});

function isOpen(windows: Windows, local: DateTime): boolean {
  const { start, end } = windows;
  const [minute, today] = [local.hour * 60 + local.minute, dayNumber(local)];
  if (start < end) return minute >= start && minute < end && hasWindow(windows, today);
  return (minute >= start && hasWindow(windows, today)) || (minute < end && hasWindow(windows, today - 1));
}

/** Whether a window begins on a day. */
const hasWindow = ({ days, holidays }: Windows, day: number): boolean =>
  days.includes(weekdayOf(day)) && !holidays.has(day);

const dayNumber = (local: DateTime): number => Date.UTC(local.year, local.month - 1, local.day) / DAY_MS;

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: number): number => ((((day + EPOCH_WEEKDAY - 1) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;

/** The minutes from 00:00 to `HH:MM`. */
function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/**
 * The next opening after `local` if the zone keeps its current offset, in which no local time is skipped or repeated. If it
 * is more than a week away, an instant on the way: a change of the offset may open the last window again before, so the
 * first step is a week; after that, no window is near until two days before the opening.
 */
function nextOpening(windows: Windows, local: DateTime): DateTime | undefined {
  const midnight = local.setZone(FixedOffsetZone.instance(local.offset)).startOf('day');
  const [today, minute] = [dayNumber(local), local.hour * 60 + local.minute];
  const last = WEEK_DAYS * (windows.holidays.size + 2);
  for (let day = minute < windows.start ? 0 : 1; day <= last; day++) {
    if (!hasWindow(windows, today + day)) continue;
    if (day <= WEEK_DAYS) return midnight.plus({ days: day, minutes: windows.start });
    const hasRecent = hasWindow(windows, today) || hasWindow(windows, today - 1);
    return midnight.plus({ days: hasRecent ? WEEK_DAYS - 1 : day - 2 });
  }
  return undefined;
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
