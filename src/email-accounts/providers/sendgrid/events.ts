import type { EventReport, ProviderEvents, ReceivedForm, ReportedFailure, SimulatedEvent } from '../provider-events.js';
import { isSignedByAny } from './webhook-signature.js';

type Event = Readonly<Record<string, unknown>>;

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';
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

  isSignedBy: (keys, { headers, body }) =>
    isSignedByAny(keys, {
      signature: String(headers[SIGNATURE] ?? ''),
      timestamp: String(headers[TIMESTAMP] ?? ''),
      body,
    }),

  read(event) {
    const messageId = isEvent(event) ? messageIdOf(event) : undefined;
    if (!isEvent(event) || messageId === undefined) return undefined;
    const report = reportOf(event);
    return report && { message_id: messageId, occurred_at: Number(event.timestamp) * MS_PER_SECOND, ...report };
  },

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

const isEvent = (event: unknown): event is Event => typeof event === 'object' && event !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns our custom argument, or else the header, which SendGrid may have replaced. */
function messageIdOf(event: Event): string | undefined {
  const messageId = textOf(event.outreach_message_id) || textOf(event['smtp-id']).replace(/^\s*<|>\s*$/g, '');
  return messageId || undefined;
}

type Without<Union, Keys extends string> = Union extends unknown ? Omit<Union, Keys> : never;

/** Returns undefined for events that are not final, such as `processed` and `deferred`. */
function reportOf(event: Event): Without<EventReport, 'message_id' | 'occurred_at'> | undefined {
  switch (event.event) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'bounce':
    case 'dropped':
      return { kind: 'bounced', address: textOf(event.email), failure: failureOf(event) };
    case 'spamreport':
      return { kind: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' };
    case 'open':
      // Apple's Mail loads pixels when a message arrives, whether it is read or not.
      return { kind: 'opened', ...(event.sg_machine_open === true ? { is_machine: true } : {}) };
    case 'click':
      return { kind: 'clicked', url: textOf(event.url) };
    default:
      return undefined;
  }
}

/** `bounce_classification`s that say what else was refused. `Unclassified`, `Mailbox Unavailable` and others say nothing. */
const NOT_ABOUT_ADDRESS = /^(content|reputation|frequency\b.*|technical|technical failure)$/i;

/** Reads why an email bounced, was blocked or dropped. */
function failureOf(event: Event): ReportedFailure {
  const classification = textOf(event.bounce_classification).trim();
  const isOther = event.type === 'blocked' || NOT_ABOUT_ADDRESS.test(classification);
  const isDead = /^invalid address$/i.test(classification);
  return {
    text: textOf(event.reason) || textOf(event.response),
    status: textOf(event.status),
    meaning: isOther ? 'other' : isDead ? 'dead_address' : undefined,
    fallback: `SendGrid: ${textOf(event.event)}`,
  };
}
