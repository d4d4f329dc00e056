import { IsBoolean } from 'class-validator';
import { NullResetsTo } from '@outreach/http-api/fields';
import { ChangedByOperation, CheckedBy } from '@outreach/http-api/validation';
import { SECRET_OPERATIONS } from './secret-operations.js';
import { IsEventNames, IsWebhookUrl, urlHostErrors } from './webhook-fields.js';

@CheckedBy(urlHostErrors)
@ChangedByOperation(SECRET_OPERATIONS)
export class CreateWebhookDto {
  /**
   * Where to send events: an `https` URL of at most 255 characters, at a public host, without credentials and
   * fragment.
   */
  @IsWebhookUrl() url!: string;
  /** The events to receive, at least one. */
  @IsEventNames() events!: string[];
  /** Whether events are sent. */
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;
}
