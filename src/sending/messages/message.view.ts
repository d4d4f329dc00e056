import { is, timestamp, view } from '../../platform/http/index.js';
import { type Message, MESSAGE_STATUSES } from '../message.entity.js';

/** A message with the current address of its contact. */
export type MessageRecord = Message & { readonly email: string };

export const messageView = view(
  'Message',
  {
    id: is.id,
    campaign_id: is.id,
    enrollment_id: is.id,
    contact_id: is.id,
    email: is.string,
    step_id: is.nullable(is.id),
    email_account_id: is.nullable(is.id),
    subject: is.nullable(is.string),
    status: is.oneOf(MESSAGE_STATUSES),
    message_id: is.nullable(is.string),
    attempts: is.integer,
    reason: is.nullable(is.string),
    sent_at: is.nullable(is.timestamp),
    opened_at: is.nullable(is.timestamp),
    clicked_at: is.nullable(is.timestamp),
    replied_at: is.nullable(is.timestamp),
    bounced_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
  },
  (message: MessageRecord) => ({
    id: message.id,
    campaign_id: message.campaign_id,
    enrollment_id: message.enrollment_id,
    contact_id: message.contact_id,
    email: message.email,
    step_id: message.step_id,
    email_account_id: message.email_account_id,
    subject: message.subject,
    status: message.status,
    message_id: message.message_id,
    attempts: message.attempts,
    reason: message.reason,
    sent_at: timestamp(message.sent_at),
    opened_at: timestamp(message.opened_at),
    clicked_at: timestamp(message.clicked_at),
    replied_at: timestamp(message.replied_at),
    bounced_at: timestamp(message.bounced_at),
    created_at: timestamp(message.created_at),
  }),
);

export const retriedView = view('RetriedMessages', { count: is.integer }, ({ count }: { readonly count: number }) => ({
  count,
}));
