import { NullableTextField, OptionalField, NameField } from '../../../platform/http/fields/index.js';

export class UpdateListDto {
  @OptionalField() @NameField(255) name?: string;
  @NullableTextField(1000) description?: string | null;
}
