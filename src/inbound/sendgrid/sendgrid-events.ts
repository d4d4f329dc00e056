import { reportedAddress, reportedText } from '@outreach/mail-reading';
import { classifyRefusal, enhancedCodeIn } from '@outreach/refusals';
import type { Bounce, MessageReport } from '../../sending/index.js';

/** The report of one event about one message. */
export interface ReportedMessage {
  /** Without angle brackets. */
  readonly message_id: string;
  readonly report: MessageReport;
}

/** One report about several messages. */
export interface GroupedReport {
  readonly message_ids: readonly string[];
  readonly report: MessageReport;
}

type Event = Readonly<Record<string, unknown>>;

/** Returns the Message-IDs of the events of SendGrid's webhook that report something about a message. */
export const reportedMessageIds = (events: readonly unknown[]): string[] =>
  events.flatMap((event) => (isEvent(event) && REPORTING.has(textOf(event.event)) && messageIdOf(event)) || []);

/**
 * Reads an event of SendGrid's webhook.
 * @param known the Message-IDs of the messages that it may be about
 * @returns undefined if it reports nothing about one of them
 */
export function reportedBy(
  event: unknown,
  now: Date,
  known: Pick<ReadonlySet<string>, 'has'>,
): ReportedMessage | undefined {
  const messageId = isEvent(event) ? messageIdOf(event) : undefined;
  if (!isEvent(event) || messageId === undefined || !known.has(messageId)) return undefined;
  const report = reportOf(event);
  if (!report) return undefined;
  return { message_id: messageId, report: { ...report, source: 'provider', occurred_at: instantOf(event, now) } };
}

/** Sorts reports by time, and groups those that differ in the message only. */
export function groupReports(reports: readonly ReportedMessage[]): GroupedReport[] {
  const sorted = [...reports].sort((a, b) => Number(a.report.occurred_at) - Number(b.report.occurred_at));
  const groups = new Map<string, { message_ids: string[]; report: MessageReport }>();
  for (const { message_id: messageId, report } of sorted) {
    const groupKey = JSON.stringify(report);
    const group = groups.get(groupKey);
    if (group) group.message_ids.push(messageId);
    else groups.set(groupKey, { message_ids: [messageId], report });
  }
  return [...groups.values()];
}

const isEvent = (event: unknown): event is Event => typeof event === 'object' && event !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns our custom argument, or else the header, which SendGrid may have replaced. */
function messageIdOf(event: Event): string | undefined {
  const messageId = textOf(event.outreach_message_id) || textOf(event['smtp-id']).replace(/^\s*<|>\s*$/g, '');
  return messageId || undefined;
}

const ONE_DAY_MS = 86_400_000;

/** Converts Unix seconds. Returns the present if the value is missing, negative or more than a day ahead. */
function instantOf({ timestamp }: Event, now: Date): Date {
  const milliseconds = Number(timestamp) * 1000;
  return milliseconds > 0 && milliseconds < now.getTime() + ONE_DAY_MS ? new Date(milliseconds) : now;
}

const MAX_URL_LENGTH = 2000;

/** The events that {@link reportOf} reads. */
const REPORTING: ReadonlySet<string> = new Set([
  ...['delivered', 'bounce', 'dropped', 'spamreport', 'unsubscribe', 'group_unsubscribe', 'open', 'click'],
]);

/** Returns undefined for events that are not final, such as `processed` and `deferred`. */
function reportOf(event: Event): MessageReport | undefined {
  switch (event.event) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'bounce':
    case 'dropped':
      return { kind: 'bounced', bounce: bounceOf(event), address: reportedAddress(textOf(event.email)) };
    case 'spamreport':
      return { kind: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' };
    case 'open':
      // Apple's Mail loads pixels when a message arrives, whether it is read or not.
      return { kind: 'opened', ...(event.sg_machine_open === true ? { is_machine: true } : {}) };
    case 'click':
      return { kind: 'clicked', url: reportedText(textOf(event.url), MAX_URL_LENGTH) };
    default:
      return undefined;
  }
}

/** `bounce_classification`s that say what else was refused. `Unclassified`, `Mailbox Unavailable` and others say nothing. */
const NOT_ABOUT_ADDRESS = /^(content|reputation|frequency\b.*|technical|technical failure)$/i;

/**
 * Reads why an email bounced, was blocked or dropped
 * (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event). The words of the server decide; SendGrid's
 * classification counts if they say nothing of the address.
 */
function bounceOf(event: Event): Bounce {
  const text = (textOf(event.reason) || textOf(event.response)).trim();
  const status = enhancedCodeIn(textOf(event.status));
  const { cause, code, reason } = classifyRefusal({ text, status });
  const classification = textOf(event.bounce_classification).trim();
  const says = cause === 'unknown' && /^invalid address$/i.test(classification) ? 'dead_address' : cause;
  const isDead = event.type !== 'blocked' && !NOT_ABOUT_ADDRESS.test(classification) && says === 'dead_address';
  return { type: isDead ? 'hard' : 'soft', code, message: reason || `SendGrid: ${reportedText(textOf(event.event))}` };
}
