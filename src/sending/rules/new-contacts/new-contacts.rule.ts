import { sql } from '../../../platform/database/index.js';
import { campaignDay } from '../campaign-day.js';
import { makeDue } from '../release.queries.js';
import { type ContactRule, effect } from '../rule.js';
import { recountNewContacts, reserveAgain, revokeReservations } from './changed-limit.queries.js';
import { nextNewContacts } from './clock.queries.js';
import { settleNewContact } from './new-contact-wait.js';
import { MAX_NEW_CONTACTS_REASON, type NewContactLimit, newContactsRule } from './new-contact-limit.js';
import { returnNewContacts } from './new-contacts.queries.js';

interface NewContactFacts {
  /** The limit, unless the message has a place among the new contacts or needs none. */
  readonly new_contacts?: NewContactLimit | null;
  /** It is the first message to its contact in a campaign that limits these, and is being sent. */
  readonly needs_place?: boolean | null;
  /** The day for which that message is reserved, as `YYYY-MM-DD`. */
  readonly new_on?: string | null;
}

const needsPlace = sql`(campaign.max_new_contacts_per_day IS NOT NULL AND enrollment.status = 'pending')`;

/** How many contacts may get their first message of a campaign on a day. Planning reserves places, a stopped message gets one. */
export const newContacts: ContactRule<NewContactFacts, typeof MAX_NEW_CONTACTS_REASON> = {
  /** The campaign has written to as many new contacts as it may on this day. */
  reason: MAX_NEW_CONTACTS_REASON,
  level: 'contact',
  timing: ({ schedule }, { new_contacts: limit, needs_place: isNew, new_on: day }) => {
    if (limit) return newContactsRule(limit);
    if (!isNew) return null;
    const next = (instant: Date) => (campaignDay(schedule, instant) === day ? instant : null);
    return { reason: MAX_NEW_CONTACTS_REASON, next };
  },
  stop: { when: () => sql`${needsPlace} AND message.new_on IS DISTINCT FROM candidate.day`, then: 'waiting' },
  claimed: () => sql`message.new_on::text AS new_on`,
  isReserved: ({ schedule }, { new_on: day }, at) => day == null || campaignDay(schedule, at) === day,
  checkedColumn: 'new_on',
  repeated: () => sql`${needsPlace} AS needs_place, message.new_on::text AS new_on`,
  settle: settleNewContact,
  refund: returnNewContacts,
  nextPlanning: nextNewContacts,
  effects: [
    effect('campaign.new_contacts_changed', async (scope, change) => {
      const { campaign_id: id, has_limit: hasLimit, had_limit: hadLimit } = change;
      if (hasLimit) {
        const revoked = await revokeReservations(scope, id);
        if (!hadLimit) await recountNewContacts(scope, id);
        await reserveAgain(scope, id, revoked);
      }
      return makeDue(scope, sql`message.campaign_id = ${id}`, [MAX_NEW_CONTACTS_REASON]);
    }),
  ],
};
