import type { FieldErrors } from '@outreach/http-errors';
import { IsInstant } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';

const untilErrors: InputCheck<PauseContactDto> = ({ until }, { context: { scope } }) => {
  const isPast = until !== undefined && until <= scope.clock.now();
  const errors: FieldErrors = isPast ? { until: ['until must be in the future.'] } : {};
  return errors;
};

/** Until when a contact is paused. */
@CheckedBy(untilErrors)
export class PauseContactDto {
  /** The end of the pause: an instant with its offset (ISO 8601), in the future. */
  @IsInstant() until!: Date;
}
