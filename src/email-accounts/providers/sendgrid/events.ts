import { isSignedRequest, readEvent } from '@outreach/sendgrid';
import type { ProviderEvents, ReceivedForm, SimulatedEvent } from '../provider-events.js';

const MS_PER_SECOND = 1_000;

const SIMULATED: Readonly<Record<SimulatedEvent, object>> = {
  delivered: { event: 'delivered', response: '250 2.0.0 Ok: delivered' },
  bounced: { event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 User unknown' },
  soft: { event: 'bounce', type: 'blocked', status: '4.2.2', reason: '452 4.2.2 Mailbox full' },
  complained: { event: 'spamreport' },
};

/** SendGrid's event webhook (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event). */
export const sendgridEvents: ProviderEvents = {
  name: 'signed event webhook',
  key: 'sendgrid_webhook_key',

  isSignedBy: isSignedRequest,
  read: readEvent,

  simulate: (kind, { to_address: email, message_id }, now) => ({
    ...SIMULATED[kind],
    email,
    timestamp: Math.floor(now / MS_PER_SECOND),
    'smtp-id': `<${message_id}>`,
    outreach_message_id: message_id,
  }),
};

/** SendGrid's Inbound Parse. The size is its limit. */
export const sendgridForm: ReceivedForm = {
  name: 'Inbound Parse',
  path: 'parse',
  operation: 'receiveParsedMail',
  part: 'email',
  option: 'POST the raw, full MIME message',
  max_megabytes: 30,
};
