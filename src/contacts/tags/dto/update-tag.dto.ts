import { ClearableText, Optional, Text } from '../../../platform/http/index.js';
import { IsColor } from './is-color.js';

export class UpdateTagDto {
  @Optional() @Text(255) name?: string;
  @ClearableText(7) @IsColor() color?: string | null;
}
