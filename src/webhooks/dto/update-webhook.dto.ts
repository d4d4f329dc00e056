import { IsBoolean } from 'class-validator';
import { ClearedTo, Optional } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl } from './webhook-fields.js';

export class UpdateWebhookDto {
  @Optional() @IsWebhookUrl() url?: string;
  @Optional() @IsEventNames() events?: string[];
  @ClearedTo(true) @Optional() @IsBoolean() is_active?: boolean;
}
