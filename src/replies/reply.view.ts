import { is, view } from '@outreach/http-api/responses';
import type { Reply } from './reply.entity.js';

/** Who wrote a reply. */
const from = is.shape('ReplySender', {
  /** The name as the mail shows it; null if it shows none. */
  name: is.nullable(is.string),
  /** The address, in lower case. It may be another one than that of the contact. */
  address: is.string,
});

export const replyView = view(
  'Reply',
  {
    id: is.id,
    /** The ID of the campaign of the message that it answers. */
    campaign_id: is.id,
    /** The ID of the enrollment. */
    enrollment_id: is.id,
    /** The ID of the contact to whom the message was sent. */
    contact_id: is.id,
    /** The email account that sent the message, and sends an answer; null if it was deleted. */
    email_account_id: is.nullable(is.id),
    /** The header `Message-ID` of the message that it answers, without angle brackets. */
    message_id: is.nullable(is.string),
    /** Who wrote it. */
    from,
    /** The subject; may be empty. */
    subject: is.string,
    /** What the sender wrote, without the quoted message; at most 20,000 characters, may be empty. */
    text: is.string,
    /**
     * `reply` of a person, `out_of_office` or `automatic`, as the service has recognised it, or the classification that you
     * have given it.
     */
    classification: is.string,
    /** Whether a machine wrote it. Such a reply ends no enrollment. Another classification does not change it. */
    is_automatic: is.boolean,
    /** The day on which the sender is back, as `YYYY-MM-DD`; null if the mail names none. */
    returns_on: is.nullable({ type: 'string', format: 'date' }),
    /** When the mail was received. */
    received_at: is.timestamp,
    created_at: is.timestamp,
  },
  (reply: Reply) => ({ from: { name: reply.from_name, address: reply.from_address } }),
);
