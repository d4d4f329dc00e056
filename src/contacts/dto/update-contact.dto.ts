import { IsEmailAddress, OptionalField } from '../../platform/http/fields/index.js';
import { CheckedBy } from '../../platform/http/validation/index.js';
import { customFieldErrors } from '../contact-errors.js';
import { contactStatusErrors } from '../status-input.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

@CheckedBy(customFieldErrors)
@CheckedBy(contactStatusErrors)
export class UpdateContactDto extends ContactFieldsDto {
  /** A new address, at most 254 characters. 409 if another contact of the workspace has it. */
  @OptionalField() @IsEmailAddress() email?: string;
}
