import { ClearableText } from '../../../platform/http/index.js';

export class UpdateCustomFieldDto {
  @ClearableText(255) label?: string | null;
}
