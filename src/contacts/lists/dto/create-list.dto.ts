import { NullableTextField, TextField } from '../../../platform/http/index.js';

export class CreateListDto {
  @TextField(255) name!: string;
  @NullableTextField(1000) description?: string | null;
}
