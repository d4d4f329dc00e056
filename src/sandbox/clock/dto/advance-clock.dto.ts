import { IsInt, Max, Min } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { IsInstant, NullableField } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { readClock } from '../sandbox-clock.queries.js';

const SECONDS_A_DAY = 86_400;
const MAX_ADVANCE_DAYS = 400;
const MAX_ADVANCE_SECONDS = MAX_ADVANCE_DAYS * SECONDS_A_DAY;
const MS_PER_SECOND = 1_000;
/** Dates after it need more than four digits. */
const LAST_INSTANT = new Date('9000-01-01T00:00:00Z');

const EXACTLY_ONE = 'Send exactly one of advance_seconds and to.';
const TOO_FAR = `The clock can be put forward by ${MAX_ADVANCE_DAYS} days at most.`;

/** Exactly one of the two fields says to when, and that is neither in the past nor too far away. */
const advanceErrors: InputCheck<AdvanceClockDto> = async (input, { context: { scope }, isRefused }) => {
  const { advance_seconds: seconds, to } = input;
  const isGiven = { seconds: seconds != null || isRefused('advance_seconds'), to: to != null || isRefused('to') };
  if (isGiven.seconds === isGiven.to) return { advance_seconds: [EXACTLY_ONE], to: [EXACTLY_ONE] };
  const { now, target } = await readClock(scope);
  if (seconds != null) return distanceErrors('advance_seconds', now, later(target ?? now, seconds));
  return to == null ? {} : distanceErrors('to', now, to);
};

const later = (instant: Date, seconds: number): Date => new Date(instant.getTime() + seconds * MS_PER_SECOND);

function distanceErrors(field: string, now: Date, to: Date): FieldErrors {
  if (to < now) return { [field]: [`The clock only goes forward: it shows ${now.toISOString()} now.`] };
  if (to > later(now, MAX_ADVANCE_SECONDS)) return { [field]: [TOO_FAR] };
  if (to > LAST_INSTANT) return { [field]: [`The clock ends at ${LAST_INSTANT.toISOString()}.`] };
  return {};
}

@CheckedBy(advanceErrors)
export class AdvanceClockDto {
  /**
   * By how many seconds the clock is put forward, at most 400 days. If it is being put forward, they count from where it
   * will be.
   */
  @NullableField() @Max(MAX_ADVANCE_SECONDS) @Min(0) @IsInt() advance_seconds?: number | null;

  /** To when it is put forward: an instant with its offset (ISO 8601), not in the past and within 400 days. */
  @NullableField() @IsInstant() to?: Date | null;
}
