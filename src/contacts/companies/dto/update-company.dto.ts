import { Optional, Text } from '../../../platform/http/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class UpdateCompanyDto extends CompanyFieldsDto {
  @Optional() @Text(255) name?: string;
}
