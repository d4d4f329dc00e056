import { IsBoolean } from 'class-validator';
import { ClearedTo } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl } from './webhook-fields.js';

export class CreateWebhookDto {
  @IsWebhookUrl() url!: string;
  @IsEventNames() events!: string[];
  @ClearedTo(true) @IsBoolean() is_active: boolean = true;
}
