import { IsEmailAddress, OptionalField } from '@outreach/http-api/fields';
import { CheckedBy } from '@outreach/http-api/validation';
import { customFieldErrors } from '../contact-errors.js';
import { contactStatusErrors } from '../status-input.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

@CheckedBy(customFieldErrors)
@CheckedBy(contactStatusErrors)
export class UpdateContactDto extends ContactFieldsDto {
  /** A new address, at most 254 characters. 409 if another contact of the workspace has it. */
  @OptionalField() @IsEmailAddress() email?: string;
}
