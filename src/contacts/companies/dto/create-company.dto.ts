import { TextField } from '../../../platform/http/index.js';
import { CompanyFieldsDto } from './company-fields.dto.js';

export class CreateCompanyDto extends CompanyFieldsDto {
  @TextField(255) name!: string;
}
