import type { FieldErrors } from '../../../platform/errors/index.js';
import { CheckedBy, type InputCheck, IsInstant } from '../../../platform/http/index.js';

const DAY_MS = 86_400_000;
const MAX_PAUSE_DAYS = 400;

const untilErrors: InputCheck<PauseContactDto> = ({ until }, { context: { scope } }) => {
  const error = until && errorOf(until, scope.clock.now());
  const errors: FieldErrors = error ? { until: [error] } : {};
  return errors;
};

function errorOf(until: Date, now: Date): string | undefined {
  if (until <= now) return 'until must be in the future.';
  const isTooLate = until.getTime() > now.getTime() + MAX_PAUSE_DAYS * DAY_MS;
  return isTooLate ? `until must be within ${MAX_PAUSE_DAYS} days.` : undefined;
}

/** Until when a contact is paused. */
@CheckedBy(untilErrors)
export class PauseContactDto {
  /** The end of the pause: an instant with its offset (ISO 8601), in the future and within 400 days. */
  @IsInstant() until!: Date;
}
