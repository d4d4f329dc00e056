import type { TimingRule } from './earliest-instant.js';
import { nextSlot, type Schedule } from './schedule.js';

const DAY_MS = 86_400_000;

/** The last message to a contact, whatever campaign it is of. */
export interface LastMessage {
  /** When it was sent; null if nothing was. */
  readonly sent_at: Date | null;
  /** One is being sent at this moment: its result is known by this time, or what waits for it waits once more. */
  readonly result_by: Date | null;
}

/**
 * The rule that so many days, of 24 hours, lie between a message and the last one to the same contact. What waits for it
 * waits for the first time of the schedule after these days.
 */
export function lastMessageRule(
  days: number,
  { sent_at: sentAt, result_by: resultBy }: LastMessage,
  schedule: Schedule | null,
): TimingRule {
  const start = Math.max(sentAt ? sentAt.getTime() + days * DAY_MS : -Infinity, resultBy?.getTime() ?? -Infinity);
  return {
    reason: 'min_days_since_last_message',
    next: (instant) => {
      if (instant.getTime() >= start) return instant;
      return schedule ? nextSlot(schedule, new Date(start)) : new Date(start);
    },
  };
}
