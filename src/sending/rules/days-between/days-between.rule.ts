import { scheduleFor } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import { makeDue } from '../release.queries.js';
import { type ContactRule, effect } from '../rule.js';
import { type LastMessage, lastMessageRule, RECENT_MESSAGE } from './last-message.js';
import { isTooRecent, selectLastMessages } from './last-messages.queries.js';

const MINUTES_PER_DAY = 1_440;

interface LastMessageFacts extends Partial<LastMessage> {
  readonly timezone?: string | null;
}

/** A campaign may leave days between two messages to a contact, whatever campaign the last one is of. */
export const daysBetween: ContactRule<LastMessageFacts, typeof RECENT_MESSAGE> = {
  /** The last message to the contact is too recent. */
  reason: RECENT_MESSAGE,
  level: 'contact',
  timing: ({ schedule, min_days_since_last_message: days }, { sent_at: sentAt, result_by: resultBy, timezone }) => {
    if (days === null || (!sentAt && !resultBy)) return null;
    const last = { sent_at: sentAt ?? null, result_by: resultBy ?? null };
    return lastMessageRule(days, last, schedule && scheduleFor(schedule, timezone ?? null));
  },
  facts: {
    isNeeded: ({ min_days_since_last_message: days }) => days !== null,
    select: (scope) => selectLastMessages(scope, sql`ARRAY(SELECT DISTINCT recipient.contact_id FROM recipient)`),
    columns: sql`min_days_since_last_message.sent_at, min_days_since_last_message.result_by`,
  },
  checksOneByOne: sql`campaign.min_days_since_last_message IS NOT NULL`,
  estimate: { minDelay: ({ min_days_since_last_message: days }) => (days ?? 0) * MINUTES_PER_DAY },
  // While a message is being sent, it is itself the one for which others wait.
  stop: { when: isTooRecent, then: 'waiting', isOnlyBefore: true },
  effects: [
    effect('campaign.rescheduled', (scope, { campaign_id: id }) =>
      makeDue(scope, sql`message.campaign_id = ${id}`, [RECENT_MESSAGE]),
    ),
  ],
};
