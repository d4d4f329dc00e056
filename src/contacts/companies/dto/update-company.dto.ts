import { OptionalField, NameField } from '../../../platform/http/fields/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class UpdateCompanyDto extends CompanyFieldsDto {
  @OptionalField() @NameField(255) name?: string;
}
