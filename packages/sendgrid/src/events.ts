import { isSignedByAny } from './webhook-signature.js';

type Event = Readonly<Record<string, unknown>>;

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';
const MS_PER_SECOND = 1_000;

/** A request with events. */
export interface SignedRequest {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Why an email was not delivered, in the words of the server. */
export interface SendgridFailure {
  readonly text: string;
  readonly status: string;
  /**
   * `other`: SendGrid says that it is not about the recipient. `dead_address`: it says that the address is dead. Otherwise the
   * text decides.
   */
  readonly meaning?: 'other' | 'dead_address' | undefined;
  /** The message if there is no text. */
  readonly fallback: string;
}

/** What an event says about an email. */
export type SendgridReport = {
  /** Without angle brackets. */
  readonly message_id: string;
  /** In milliseconds since 1970; NaN if it is not known. */
  readonly occurred_at: number;
} & (
  | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' }
  /** `is_machine`: a mail program has opened it ahead of time. */
  | { readonly kind: 'opened'; readonly is_machine?: boolean }
  | { readonly kind: 'clicked'; readonly url: string }
  | { readonly kind: 'bounced'; readonly address: string; readonly failure: SendgridFailure }
);

/** Returns whether a request was signed with one of the keys: false without keys. */
export const isSignedRequest = (keys: readonly string[], { headers, body }: SignedRequest): Promise<boolean> =>
  isSignedByAny(keys, {
    signature: String(headers[SIGNATURE] ?? ''),
    timestamp: String(headers[TIMESTAMP] ?? ''),
    body,
  });

/**
 * Reads an event of the webhook (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event).
 * @returns undefined for an event that is not final, such as `processed` and `deferred`, and for a value that is not an event
 */
export function readEvent(event: unknown): SendgridReport | undefined {
  const messageId = isEvent(event) ? messageIdOf(event) : undefined;
  if (!isEvent(event) || messageId === undefined) return undefined;
  const report = reportOf(event);
  return report && { message_id: messageId, occurred_at: Number(event.timestamp) * MS_PER_SECOND, ...report };
}

const isEvent = (event: unknown): event is Event => typeof event === 'object' && event !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns our custom argument, or else the header, which SendGrid may have replaced. */
function messageIdOf(event: Event): string | undefined {
  const messageId = textOf(event.outreach_message_id) || textOf(event['smtp-id']).replace(/^\s*<|>\s*$/g, '');
  return messageId || undefined;
}

type Without<Union, Keys extends string> = Union extends unknown ? Omit<Union, Keys> : never;

/** Returns undefined for events that are not final, such as `processed` and `deferred`. */
function reportOf(event: Event): Without<SendgridReport, 'message_id' | 'occurred_at'> | undefined {
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
function failureOf(event: Event): SendgridFailure {
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
