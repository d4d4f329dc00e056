import { NullableTextField, OptionalField, TextField } from '../../../platform/http/index.js';

export class UpdateListDto {
  @OptionalField() @TextField(255) name?: string;
  @NullableTextField(1000) description?: string | null;
}
