import { Text } from '../../../platform/http/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class CreateCompanyDto extends CompanyFieldsDto {
  @Text(255) name!: string;
}
