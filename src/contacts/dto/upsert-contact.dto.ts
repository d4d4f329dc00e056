import type { FieldErrors } from '@outreach/http-errors';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { Contact } from '../contact.entity.js';
import { UpdateContactDto } from './update-contact.dto.js';

/** The error of a contact that has to be created, but has no address. */
export const EMAIL_REQUIRED = 'email is required, because no contact has this external ID';

const emailErrors: InputCheck<UpdateContactDto> = ({ email }, { context, isRefused }) => {
  const isMissing = email === undefined && !isRefused('email') && !context.record(Contact);
  const errors: FieldErrors = isMissing ? { email: [EMAIL_REQUIRED] } : {};
  return errors;
};

/** The body of an upsert by the external ID: a contact that does not exist yet needs an address. */
@CheckedBy(emailErrors)
export class UpsertContactDto extends UpdateContactDto {}
