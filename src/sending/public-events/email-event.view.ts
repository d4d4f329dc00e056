import { is, timestamp, view } from '../../platform/http/index.js';
import type { Bounce } from '../sending.events.js';

/** An event about a recipient and a message. Without a message, the fields of the message are null. */
export interface EmailEventRow {
  /** The `Message-ID` without angle brackets. */
  readonly message_id: string | null;
  readonly campaign_id: number | null;
  readonly step_id: number | null;
  readonly enrollment_id: number | null;
  readonly contact_id: number;
  readonly email: string;
  readonly email_account_id: number | null;
  readonly subject: string | null;
  readonly occurred_at: Date;
}

export type EmailClickedRow = EmailEventRow & { readonly url: string };
export type EmailBouncedRow = EmailEventRow & { readonly bounce: Bounce };

const shape = {
  message_id: is.nullable(is.string),
  campaign_id: is.nullable(is.id),
  step_id: is.nullable(is.id),
  enrollment_id: is.nullable(is.id),
  contact_id: is.id,
  email: is.string,
  email_account_id: is.nullable(is.id),
  subject: is.nullable(is.string),
  occurred_at: is.timestamp,
};

const show = (row: EmailEventRow) => ({
  message_id: row.message_id,
  campaign_id: row.campaign_id,
  step_id: row.step_id,
  enrollment_id: row.enrollment_id,
  contact_id: row.contact_id,
  email: row.email,
  email_account_id: row.email_account_id,
  subject: row.subject,
  occurred_at: timestamp(row.occurred_at),
});

/** The data of an event about an email (API v1, "Events"). */
export const emailEventView = view('EmailEvent', shape, show);

/** The same, with the target of the link. */
export const emailClickedView = view('EmailClicked', { ...shape, url: is.string }, (row: EmailClickedRow) => ({
  ...show(row),
  url: row.url,
}));

const bounceShape = is.shape('Bounce', {
  type: is.oneOf(['hard', 'soft']),
  code: is.nullable(is.string),
  message: is.string,
});

/** The same, with the type, code and message of the bounce. */
export const emailBouncedView = view('EmailBounced', { ...shape, bounce: bounceShape }, (row: EmailBouncedRow) => ({
  ...show(row),
  bounce: { type: row.bounce.type, code: row.bounce.code, message: row.bounce.message },
}));
