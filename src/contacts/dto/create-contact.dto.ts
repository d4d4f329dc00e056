import { IsEmailAddress } from '../../platform/http/index.js';
import { ContactFieldsDto } from './contact-fields.dto.js';

export class CreateContactDto extends ContactFieldsDto {
  @IsEmailAddress() email!: string;
}
