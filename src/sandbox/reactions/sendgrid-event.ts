import type { ReactionKind } from '../../sending/index.js';

/** What SendGrid reports by an event. */
export type ReportedEvent = Extract<ReactionKind, 'delivered' | 'bounced' | 'soft' | 'complained'>;

const MS_PER_SECOND = 1_000;

const FIELDS: Readonly<Record<ReportedEvent, object>> = {
  delivered: { event: 'delivered', response: '250 2.0.0 Ok: delivered' },
  bounced: { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 User unknown' },
  soft: { event: 'bounce', type: 'blocked', status: '4.2.2', reason: '452 4.2.2 Mailbox full' },
  complained: { event: 'spamreport' },
};

/** Returns the body of a request of SendGrid's event webhook with one event about a message. */
export const sendgridEvent = (
  kind: ReportedEvent,
  { to_address: email, message_id }: { readonly to_address: string; readonly message_id: string },
  now: Date,
): Buffer =>
  Buffer.from(
    JSON.stringify([
      {
        ...FIELDS[kind],
        email,
        timestamp: Math.floor(now.getTime() / MS_PER_SECOND),
        'smtp-id': `<${message_id}>`,
        outreach_message_id: message_id,
      },
    ]),
  );
