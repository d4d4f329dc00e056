import { ClearableText, Text } from '../../../platform/http/index.js';
import { IsColor } from './is-color.js';

export class CreateTagDto {
  @Text(255) name!: string;
  @ClearableText(7) @IsColor() color?: string | null;
}
