import { IsBoolean } from 'class-validator';
import { NullResetsTo } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl } from './webhook-fields.js';

export class CreateWebhookDto {
  @IsWebhookUrl() url!: string;
  @IsEventNames() events!: string[];
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;
}
