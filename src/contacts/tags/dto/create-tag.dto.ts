import { NullableTextField, TextField } from '../../../platform/http/index.js';
import { IsColor } from './is-color.js';

export class CreateTagDto {
  @TextField(255) name!: string;
  @NullableTextField(7) @IsColor() color?: string | null;
}
