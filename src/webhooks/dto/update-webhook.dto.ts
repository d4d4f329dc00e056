import { IsBoolean } from 'class-validator';
import { NullResetsTo, OptionalField } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl } from './webhook-fields.js';

export class UpdateWebhookDto {
  @OptionalField() @IsWebhookUrl() url?: string;
  @OptionalField() @IsEventNames() events?: string[];
  @NullResetsTo(true) @OptionalField() @IsBoolean() is_active?: boolean;
}
