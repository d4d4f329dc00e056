import { is, view } from '@outreach/http-api/responses';
import { BOT_REASONS } from '../bot-reasons.js';
import { type Message, MESSAGE_STATUSES } from '../message.entity.js';

/** The columns of a message that other tables have, or that are computed. */
export interface MessageColumns {
  /** The current address of its contact. */
  readonly email: string;
  /** Why it waits although it is due, which is not stored; null if it does not. */
  readonly unstored_reason: string | null;
}

/** A message with its computed columns. */
export type MessageRecord = Message & MessageColumns;

/** The fields of a message. */
const messageShape = {
  id: is.id,
  /** The ID of the campaign. */
  campaign_id: is.id,
  /** The ID of the enrollment. */
  enrollment_id: is.id,
  /** The ID of the contact. */
  contact_id: is.id,
  /** The current address of the contact. */
  email: is.string,
  /** The step; null if it was deleted. */
  step_id: is.nullable(is.id),
  /**
   * The variant of the step that the contact gets, also after it was removed; null if the step had no variants when the
   * message was queued.
   */
  variant_id: is.nullable(is.id),
  /** The email account that sends or has sent it; null if none is chosen yet, or it was deleted. */
  email_account_id: is.nullable(is.id),
  /** The subject as it was sent; null before the first attempt. */
  subject: is.nullable(is.string),
  /** What has become of the message. */
  status: is.oneOf(MESSAGE_STATUSES),
  /**
   * The header `Message-ID`, without angle brackets; null before the first attempt. Two attempts of the same message
   * have the same one.
   */
  message_id: is.nullable(is.string),
  /** How often the service has tried to send it. */
  attempts: is.integer,
  /**
   * Why the message waits or was not sent; null if there is no reason to name. While it waits: a value of
   * `WaitReason`, as `waiting_for` of an enrollment. If it ended: `blacklisted`, `unsubscribed`, `skipped`, `moved`, `paused`, or
   * what the mail server said.
   */
  reason: is.nullable(is.string),
  /** When the mail server accepted it; null before. */
  sent_at: is.nullable(is.timestamp),
  /** When a person opened it first; null if not measured or not opened. */
  opened_at: is.nullable(is.timestamp),
  /** When a person clicked a link in it first; null if not measured or not clicked. */
  clicked_at: is.nullable(is.timestamp),
  /** Requests for the pixel that were made by bots, and do not count as opens. */
  bot_opens: is.integer,
  /** Requests for links that were made by bots, and do not count as clicks. */
  bot_clicks: is.integer,
  /** Why the last request that does not count does not; null if there was none. */
  bot_reason: is.nullable(is.oneOf(BOT_REASONS)),
  /** When the first reply arrived; null before. */
  replied_at: is.nullable(is.timestamp),
  /** When it was refused because its address is dead, or reported as undeliverable; null if it was not. */
  bounced_at: is.nullable(is.timestamp),
  created_at: is.timestamp,
};

/** Returns the fields that differ from those of the row. */
const computed = ({ unstored_reason: unstored, reason }: MessageRecord) => ({ reason: unstored ?? reason });

export const messageView = view('Message', messageShape, computed);

/** A message with the content that is stored of it. */
export const messageWithContentView = view(
  'MessageWithContent',
  {
    ...messageShape,
    /** The address to which an answer to a reply is sent; null for the message of a step, which is sent to `email`. */
    to: { ...is.nullable(is.string), examples: ['claire.martin@acme.example'] },
    /** The HTML of an answer to a reply; null for the message of a step, of which only the subject is stored. */
    html: { ...is.nullable(is.string), examples: ['<p>Great, I will call you on Thursday at ten.</p>'] },
  },
  (message: MessageRecord & { readonly to: string | null; readonly html: string | null }) => computed(message),
);

export const retriedView = view('RetriedMessages', {
  /** How many messages are queued again. */
  count: is.integer,
});
