import { NameField } from '../../../platform/http/fields/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class CreateCompanyDto extends CompanyFieldsDto {
  @NameField(255) name!: string;
}
