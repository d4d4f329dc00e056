import { IsEmailAddress, OptionalField } from '../../platform/http/index.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

export class UpdateContactDto extends ContactFieldsDto {
  @OptionalField() @IsEmailAddress() email?: string;
}
