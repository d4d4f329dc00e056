import type { Schedule } from '@outreach/time-windows';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean } from 'class-validator';
import { DateTime } from 'luxon';
import { customRule, IsIanaTimeZone, NullResetsTo } from '@outreach/http-api/fields';

const MAX_HOLIDAYS = 400;

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const isClockTime = (value: unknown): value is string => typeof value === 'string' && CLOCK_TIME.test(value);

const IsClockTime = (): PropertyDecorator =>
  customRule('isClockTime', [], {
    validate: isClockTime,
    message: (field) => `${field} must be a time of day such as 09:00`,
    schema: { type: 'string', pattern: CLOCK_TIME.source },
  });

/** A window has a length. `end` before `start` is a window over midnight. */
const IsNotStart = (): PropertyDecorator =>
  customRule('isNotStart', [], {
    validate: (end, about) => end !== (about?.object as Partial<Schedule>).start,
    message: (field) => `${field} must not be equal to start`,
    schema: {},
  });

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

const AreDates = (): PropertyDecorator =>
  customRule(
    'areDates',
    [],
    {
      validate: (day) => typeof day === 'string' && DATE.test(day) && DateTime.fromISO(day).isValid,
      message: (field) => `${field} must be a date such as 2026-12-25`,
      schema: { type: 'string', format: 'date' },
    },
    true,
  );

const AreWeekdays = (): PropertyDecorator =>
  customRule(
    'areWeekdays',
    [],
    {
      validate: (day) => Number.isInteger(day) && Number(day) >= 1 && Number(day) <= 7,
      message: (field) => `${field} must be a weekday, from 1 for Monday to 7 for Sunday`,
      schema: { type: 'integer', minimum: 1, maximum: 7 },
    },
    true,
  );

export class ScheduleDto implements Schedule {
  /** The time zone of `start` and `end` by its IANA name, such as `Europe/Paris`. */
  @IsIanaTimeZone() timezone!: string;

  /**
   * The days on which messages may be sent: 1 is Monday, 7 is Sunday. A window over midnight belongs to the day on which
   * it begins.
   */
  @AreWeekdays() @ArrayUnique() @ArrayMaxSize(7) @ArrayMinSize(1) @IsArray() days!: number[];

  /** The time of day from which messages may be sent, as `HH:MM`. */
  @IsClockTime() start!: string;

  /**
   * The time of day before which messages may be sent, as `HH:MM`. If it is earlier than `start`, the window ends on the
   * next day. It cannot be equal to `start`.
   */
  @IsNotStart() @IsClockTime() end!: string;

  /**
   * Days on which no messages are sent, as `YYYY-MM-DD`: at most 400, each once. A window over midnight that begins on one
   * of them is left out; one that began on the day before goes on until its end.
   */
  @NullResetsTo([])
  @AreDates()
  @ArrayUnique()
  @ArrayMaxSize(MAX_HOLIDAYS)
  @IsArray()
  holidays: string[] = [];

  /**
   * Whether the days and times are those of the time zone of each contact, by its field `timezone`. For contacts without
   * one they are those of `timezone` above.
   */
  @NullResetsTo(false) @IsBoolean() contact_timezone: boolean = false;
}
