import { ClearableText, Text } from '../../../platform/http/index.js';

export class CreateListDto {
  @Text(255) name!: string;
  @ClearableText(1000) description?: string | null;
}
