import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray } from 'class-validator';
import { customRule, IsIanaTimeZone } from '../../platform/http/index.js';
import type { Schedule } from '../timing/schedule.js';

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const isClockTime = (value: unknown): value is string => typeof value === 'string' && CLOCK_TIME.test(value);

const IsClockTime = (): PropertyDecorator =>
  customRule('isClockTime', [], {
    validate: isClockTime,
    message: (field) => `${field} must be a time of day such as 09:00`,
    schema: { type: 'string', pattern: CLOCK_TIME.source },
  });

/** `end` must be later than `start`, because both are on the same day. `HH:MM` compares as text. */
const IsAfterStart = (): PropertyDecorator =>
  customRule('isAfterStart', [], {
    validate: (end, about) => {
      const { start } = about?.object as Partial<Schedule>;
      return !isClockTime(start) || !isClockTime(end) || end > start;
    },
    message: (field) => `${field} must be later than start`,
  });

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

  /** The days on which messages may be sent: 1 is Monday, 7 is Sunday. */
  @AreWeekdays() @ArrayUnique() @ArrayMaxSize(7) @ArrayMinSize(1) @IsArray() days!: number[];

  /** The time of day from which messages may be sent, as `HH:MM`. */
  @IsClockTime() start!: string;

  /** The time of day before which messages may be sent, as `HH:MM`; later than `start`. */
  @IsAfterStart() @IsClockTime() end!: string;
}
