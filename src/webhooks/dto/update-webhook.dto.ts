import { IsBoolean } from 'class-validator';
import { CheckedBy, NullResetsTo, OptionalField } from '../../platform/http/index.js';
import { IsEventNames, IsWebhookUrl, urlHostErrors } from './webhook-fields.js';

@CheckedBy(urlHostErrors)
export class UpdateWebhookDto {
  @OptionalField() @IsWebhookUrl() url?: string;
  @OptionalField() @IsEventNames() events?: string[];
  @NullResetsTo(true) @OptionalField() @IsBoolean() is_active?: boolean;
}
