import { IsEmailAddress, Optional } from '../../platform/http/index.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

export class UpdateContactDto extends ContactFieldsDto {
  @Optional() @IsEmailAddress() email?: string;
}
