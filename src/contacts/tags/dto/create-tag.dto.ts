import { NullableTextField, NameField } from '../../../platform/http/fields/index.js';
import { IsColor } from './is-color.js';

export class CreateTagDto {
  @NameField(255) name!: string;
  @NullableTextField(7) @IsColor() color?: string | null;
}
