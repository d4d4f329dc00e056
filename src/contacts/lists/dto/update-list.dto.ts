import { ClearableText, Optional, Text } from '../../../platform/http/index.js';

export class UpdateListDto {
  @Optional() @Text(255) name?: string;
  @ClearableText(1000) description?: string | null;
}
