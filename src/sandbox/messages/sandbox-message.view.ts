import { is, timestamp, view } from '@outreach/http-api/responses';
import type { SandboxMessage } from '../../sending/index.js';
import { headersOf, linksOf } from './message-parts.js';

const shape = {
  id: is.id,
  /** The header `Message-ID` without angle brackets, as messages and events show it. */
  message_id: is.string,
  /** The campaign of the message; null for a test. It may have been deleted. */
  campaign_id: is.nullable(is.id),
  /** The contact to whom it was sent; null for a test. It may have been deleted. */
  contact_id: is.nullable(is.id),
  /** The address of the sender. */
  from: is.string,
  /** The address of the recipient, in lower case. */
  to: is.string,
  /** The subject, decoded. */
  subject: is.string,
  /** The length of the complete message in bytes. */
  size: is.integer,
  /** When the simulated mail server accepted it, by the clock of the workspace. */
  created_at: is.timestamp,
};

const show = (message: SandboxMessage) => ({
  id: message.id,
  message_id: message.message_id,
  campaign_id: message.campaign_id,
  contact_id: message.contact_id,
  from: message.from_address,
  to: message.to_address,
  subject: message.subject,
  size: message.bytes,
  created_at: timestamp(message.created_at),
});

export const sandboxMessageView = view('SandboxMessage', shape, show);

export const sandboxMessageContentView = view(
  'SandboxMessageContent',
  {
    ...shape,
    /** The headers by their names, unfolded, as they were sent: encoded words (RFC 2047) are not decoded. */
    headers: { ...is.object, additionalProperties: is.string },
    /** The part for programs that do not show HTML. */
    text: is.string,
    /** The HTML part; empty if it has none. */
    html: is.string,
    /** The addresses of the links in the HTML part, in their order and each once. Tracked links lead to the service. */
    links: is.arrayOf(is.string),
    /** The complete message (RFC 5322) as the mail server received it. */
    raw: is.string,
  },
  (message: SandboxMessage) => ({
    ...show(message),
    headers: headersOf(message.raw),
    text: message.text,
    html: message.html,
    links: linksOf(message.html),
    raw: message.raw,
  }),
);
