import { OptionalField, TextField } from '../../../platform/http/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class UpdateCompanyDto extends CompanyFieldsDto {
  @OptionalField() @TextField(255) name?: string;
}
