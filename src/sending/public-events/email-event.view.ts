import { is, view } from '@outreach/http-api/responses';
import { BOT_REASONS, type BotReason } from '../bot-reasons.js';
import type { Bounce } from '../sending.events.js';

/** An event about a recipient and a message. Without a message, the fields of the message are null. */
export interface EmailEventRow {
  /** The `Message-ID` without angle brackets. */
  readonly message_id: string | null;
  readonly campaign_id: number | null;
  readonly step_id: number | null;
  readonly variant_id: number | null;
  readonly enrollment_id: number | null;
  readonly contact_id: number;
  readonly email: string;
  readonly email_account_id: number | null;
  readonly subject: string | null;
  readonly occurred_at: Date;
}

export type EmailClickedRow = EmailEventRow & { readonly url: string };
/** `url` is null for the pixel. */
export type EmailBotActivityRow = EmailEventRow & {
  readonly type: 'opened' | 'clicked';
  readonly url: string | null;
  readonly bot_reason: BotReason;
};
export type EmailBouncedRow = EmailEventRow & { readonly bounce: Bounce };

/** The fields of every event about an email. */
export const emailEventShape = {
  /** The header `Message-ID`, without angle brackets; null if the event does not belong to a message. */
  message_id: is.nullable(is.string),
  /** The ID of the campaign; null if the event does not belong to a message. */
  campaign_id: is.nullable(is.id),
  /** The ID of the step; null if there is none. */
  step_id: is.nullable(is.id),
  /** The ID of the variant of the step; null if there is none. */
  variant_id: is.nullable(is.id),
  /** The ID of the enrollment; null if there is none. */
  enrollment_id: is.nullable(is.id),
  /** The ID of the contact. */
  contact_id: is.id,
  /** The address of the contact. */
  email: is.string,
  /** The ID of the email account that sent the message; null if there is none. */
  email_account_id: is.nullable(is.id),
  /** The subject of the message; null if there is none. */
  subject: is.nullable(is.string),
  /** When it happened. */
  occurred_at: is.timestamp,
};

/** The data of an event about an email (API v1, "Events"). */
export const emailEventView = view('EmailEvent', emailEventShape);

const openedShape = {
  ...emailEventShape,
  /** Always false: what bots do is `email.bot_activity`. */
  is_bot: is.boolean,
};

/** The same, as opposed to the activity of a bot. */
export const emailOpenedView = view('EmailOpened', openedShape, (_: EmailEventRow) => ({ is_bot: false }));

/** The same, with the target of the link. */
export const emailClickedView = view(
  'EmailClicked',
  {
    ...openedShape,
    /** The target of the clicked link. */
    url: is.string,
  },
  (_: EmailClickedRow) => ({ is_bot: false }),
);

/** A request that does not count: the data of the event that it is not, and why it is not. */
export const emailBotActivityView = view(
  'EmailBotActivity',
  {
    ...emailEventShape,
    /** Which event the request would be if a person had made it. */
    type: is.oneOf(['opened', 'clicked']),
    /** Always true, as opposed to `email.opened` and `email.clicked`. */
    is_bot: is.boolean,
    /** Why the request does not count. */
    bot_reason: is.oneOf(BOT_REASONS),
    /** The target of the link. Absent if `type` is `opened`. */
    url: is.string,
  },
  ({ url }: EmailBotActivityRow) => ({ is_bot: true, ...(url !== null && { url }) }),
  ['url'],
);

const bounceShape = is.shape('Bounce', {
  /**
   * `hard`: the address does not exist, and the contact is `bounced` now. `soft`: the message was refused for another
   * reason.
   */
  type: is.oneOf(['hard', 'soft']),
  /** The mail server's enhanced status code (RFC 3463), such as `5.1.1`; null if it sent none. */
  code: is.nullable(is.string),
  /** What the mail server said. */
  message: is.string,
});

/** The same, with the type, code and message of the bounce. */
export const emailBouncedView = view(
  'EmailBounced',
  {
    ...emailEventShape,
    /** Why the message was refused. */
    bounce: bounceShape,
  },
  ({ bounce: { type, code, message } }: EmailBouncedRow) => ({ bounce: { type, code, message } }),
);
