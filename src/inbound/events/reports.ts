import { reportedAddress, reportedText } from '@outreach/mail-reading';
import { classifyRefusal, enhancedCodeIn } from '@outreach/refusals';
import { eventsOf, type EventReport, type ReportedFailure } from '../../email-accounts/index.js';
import type { Bounce, MessageReport } from '../../sending/index.js';

export interface ReportedMessage {
  /** Without angle brackets. */
  readonly message_id: string;
  readonly report: MessageReport;
}

export interface GroupedReport {
  readonly message_ids: readonly string[];
  readonly report: MessageReport;
}

/** Returns what the events of a provider report. Those that report nothing are left out. */
export const reportsIn = (provider: string, events: readonly unknown[]): EventReport[] =>
  events.flatMap((event) => eventsOf(provider)?.read(event) ?? []);

/**
 * Turns what an event of a provider reports into the report of a message.
 * @param now takes the place of an instant that is missing, negative or more than a day ahead
 */
export function reportedBy(event: EventReport, now: Date): ReportedMessage {
  const at = event.occurred_at;
  const occurred_at = at > 0 && at < now.getTime() + ONE_DAY_MS ? new Date(at) : now;
  return { message_id: event.message_id, report: { ...reportOf(event), source: 'provider', occurred_at } };
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

const ONE_DAY_MS = 86_400_000;
const MAX_URL_LENGTH = 2000;

function reportOf(event: EventReport): MessageReport {
  switch (event.kind) {
    case 'bounced':
      return { kind: 'bounced', bounce: bounceOf(event.failure), address: reportedAddress(event.address) };
    case 'opened':
      return { kind: 'opened', ...(event.is_machine ? { is_machine: true } : {}) };
    case 'clicked':
      return { kind: 'clicked', url: reportedText(event.url, MAX_URL_LENGTH) };
    default:
      return { kind: event.kind };
  }
}

/** The words of the server decide; the classification of the provider counts if they say nothing of the address. */
function bounceOf({ text, status, meaning, fallback }: ReportedFailure): Bounce {
  const { cause, code, reason } = classifyRefusal({ text: text.trim(), status: enhancedCodeIn(status) });
  const says = cause === 'unknown' ? meaning : cause;
  const isDead = meaning !== 'other' && says === 'dead_address';
  return { type: isDead ? 'hard' : 'soft', code, message: reason || reportedText(fallback) };
}
