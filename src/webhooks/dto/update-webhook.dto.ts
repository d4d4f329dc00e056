import { IsBoolean } from 'class-validator';
import { NullResetsTo, OptionalField } from '@outreach/http-api/fields';
import { ChangedByOperation, CheckedBy } from '@outreach/http-api/validation';
import { SECRET_OPERATIONS } from './secret-operations.js';
import { IsEventNames, IsWebhookUrl, urlHostErrors } from './webhook-fields.js';

@CheckedBy(urlHostErrors)
@ChangedByOperation(SECRET_OPERATIONS)
export class UpdateWebhookDto {
  /**
   * Where to send events: an `https` URL of at most 255 characters, at a public host, without credentials and
   * fragment.
   */
  @OptionalField() @IsWebhookUrl() url?: string;
  /** The events to receive, at least one. They replace the earlier ones. */
  @OptionalField() @IsEventNames() events?: string[];
  @NullResetsTo(true) @OptionalField() @IsBoolean() is_active?: boolean;
}
