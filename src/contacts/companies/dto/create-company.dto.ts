import { NameField } from '../../../platform/http/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class CreateCompanyDto extends CompanyFieldsDto {
  @NameField(255) name!: string;
}
