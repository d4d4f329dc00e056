import { nextSlot, type Schedule, type TimingRule } from '@outreach/time-windows';

/** Why a message waits whose contact has got another one too recently, as the API shows it. */
export const RECENT_MESSAGE = 'min_days_since_last_message';

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
): TimingRule<typeof RECENT_MESSAGE> {
  const start = Math.max(sentAt ? sentAt.getTime() + days * DAY_MS : -Infinity, resultBy?.getTime() ?? -Infinity);
  return {
    reason: RECENT_MESSAGE,
    next: (instant) => {
      if (instant.getTime() >= start) return instant;
      return schedule ? nextSlot(schedule, new Date(start)) : new Date(start);
    },
  };
}
