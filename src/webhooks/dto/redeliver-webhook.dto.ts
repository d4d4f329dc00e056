import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsDayOrInstant } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { rangeEnd, rangeStart } from '../../platform/tenancy/index.js';
import { EVENT_NAMES, type EventName } from '../event-names.js';

/** Refuses a range that ends before it begins. */
const rangeErrors: InputCheck<{ readonly from: string; readonly to: string }> = ({ from, to }) => {
  const errors: Record<string, string[]> = {};
  if (from && to && rangeEnd(to) < rangeStart(from)) errors.to = ['to must not be before from'];
  return errors;
};

@CheckedBy(rangeErrors)
export class RedeliverWebhookDto {
  /** Only deliveries whose last attempt was made at this instant or later; a day begins at midnight (UTC). */
  @IsDayOrInstant() from!: string;
  /** Only deliveries whose last attempt was made up to this instant, included; a day ends at midnight (UTC). */
  @IsDayOrInstant() to!: string;
  /** Only deliveries of this event. */
  @IsOptional() @IsIn(EVENT_NAMES) event?: EventName | null;
  /** With `true` only deliveries whose last attempt succeeded, with `false` only the others. */
  @IsOptional() @IsBoolean() success?: boolean | null;
}
