import type { Bounce, MessageReport } from '../../sending/index.js';
import { enhancedCodeIn, replyCodeOf, reportedWords } from '../reported-words.js';

/** What an event says of one message. */
export interface ReportedMessage {
  /** Without angle brackets. */
  readonly message_id: string;
  readonly report: MessageReport;
}

/** One report about several messages. */
export interface AlikeReports {
  readonly message_ids: readonly string[];
  readonly report: MessageReport;
}

type Event = Readonly<Record<string, unknown>>;

/** What events of SendGrid's webhook say of messages, in the order in which it happened. Others are left out. */
export function reportsOf(events: readonly unknown[], now: Date): ReportedMessage[] {
  return events
    .filter(isEvent)
    .flatMap((event) => {
      const messageId = messageIdOf(event);
      const told = messageId && reportOf(event);
      return told ? [{ message_id: messageId, report: { ...told, occurred_at: instantOf(event, now) } }] : [];
    })
    .sort((a, b) => Number(a.report.occurred_at) - Number(b.report.occurred_at));
}

/** Puts together what differs in nothing but the message. */
export function alike(reports: readonly ReportedMessage[]): AlikeReports[] {
  const groups = new Map<string, { message_ids: string[]; report: MessageReport }>();
  for (const { message_id: messageId, report } of reports) {
    const likeness = JSON.stringify(report);
    const group = groups.get(likeness);
    if (group) group.message_ids.push(messageId);
    else groups.set(likeness, { message_ids: [messageId], report });
  }
  return [...groups.values()];
}

const isEvent = (event: unknown): event is Event => typeof event === 'object' && event !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** As the message was sent with; else the header, which SendGrid may have written anew. */
function messageIdOf(event: Event): string | undefined {
  const given = textOf(event.outreach_message_id) || textOf(event['smtp-id']).replace(/^\s*<|>\s*$/g, '');
  return given || undefined;
}

const ONE_DAY_MS = 86_400_000;

/** Unix seconds; the present where that is no time at which anything can have happened. */
function instantOf({ timestamp }: Event, now: Date): Date {
  const milliseconds = Number(timestamp) * 1000;
  return milliseconds > 0 && milliseconds < now.getTime() + ONE_DAY_MS ? new Date(milliseconds) : now;
}

const LONGEST_URL = 2000;

/** Undefined for what says nothing final, such as `processed` and `deferred`. */
function reportOf(event: Event): MessageReport | undefined {
  switch (event.event) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'bounce':
    case 'dropped':
      return { kind: 'bounced', bounce: bounceOf(event), address: textOf(event.email) || undefined };
    case 'spamreport':
      return { kind: 'complained' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' };
    case 'open':
      return { kind: 'opened' };
    case 'click':
      return { kind: 'clicked', url: reportedWords(textOf(event.url), LONGEST_URL) };
    default:
      return undefined;
  }
}

/** Refusals that say nothing of the address: not for good, a full mailbox, a policy (RFC 3463). */
const SAYS_NOTHING = /^(4\..*|5\.2\.2|5\.7\..*)$/;
/** Why SendGrid itself does not send: it knows the address for dead. */
const KNOWN_DEAD = /^(bounced address|invalid)/i;

function bounceOf(event: Event): Bounce {
  const words = textOf(event.reason) || textOf(event.response);
  const enhanced = enhancedCodeIn(textOf(event.status)) ?? enhancedCodeIn(words);
  const refused = event.type !== 'blocked' && !SAYS_NOTHING.test(enhanced ?? '');
  const isDead = event.event === 'dropped' ? KNOWN_DEAD.test(words) : refused;
  return {
    type: isDead ? 'hard' : 'soft',
    code: enhanced ?? replyCodeOf(words) ?? null,
    message: reportedWords(words) || `SendGrid: ${reportedWords(textOf(event.event))}`,
  };
}
