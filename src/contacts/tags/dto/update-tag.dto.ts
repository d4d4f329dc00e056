import { NullableTextField, OptionalField, TextField } from '../../../platform/http/index.js';
import { IsColor } from './is-color.js';

export class UpdateTagDto {
  @OptionalField() @TextField(255) name?: string;
  @NullableTextField(7) @IsColor() color?: string | null;
}
