import { NullableTextField, NameField } from '../../../platform/http/fields/index.js';

export class CreateListDto {
  @NameField(255) name!: string;
  @NullableTextField(1000) description?: string | null;
}
