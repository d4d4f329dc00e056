import { NullableTextField } from '../../../platform/http/index.js';

export class UpdateCustomFieldDto {
  @NullableTextField(255) label?: string | null;
}
