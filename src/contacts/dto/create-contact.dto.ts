import { IsEmailAddress } from '../../platform/http/fields/index.js';
import { CheckedBy } from '../../platform/http/validation/index.js';
import { customFieldErrors } from '../contact-errors.js';
import { contactStatusErrors } from '../status-input.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

@CheckedBy(customFieldErrors)
@CheckedBy(contactStatusErrors)
export class CreateContactDto extends ContactFieldsDto {
  /** The address, at most 254 characters. It is stored in lower case. 409 if the workspace has a contact with it. */
  @IsEmailAddress() email!: string;
}
