import { IsBoolean } from 'class-validator';
import { CheckedBy, NullResetsTo } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl, urlHostErrors } from './webhook-fields.js';

@CheckedBy(urlHostErrors)
export class CreateWebhookDto {
  @IsWebhookUrl() url!: string;
  @IsEventNames() events!: string[];
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;
}
