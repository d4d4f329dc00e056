import { IsEmailAddress } from '@outreach/http-api/fields';
import { CheckedBy } from '@outreach/http-api/validation';
import { customFieldErrors } from '../contact-errors.js';
import { contactStatusErrors } from '../status-input.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

@CheckedBy(customFieldErrors)
@CheckedBy(contactStatusErrors)
export class CreateContactDto extends ContactFieldsDto {
  /** The address, at most 254 characters. It is stored in lower case. 409 if the workspace has a contact with it. */
  @IsEmailAddress() email!: string;
}
