import { sql } from '../../../platform/database/index.js';
import { campaignDay } from '../campaign-day.js';
import { makeDue } from '../release.queries.js';
import { type ContactRule, effect } from '../rule.js';
import { recountNewContacts, reserveAgain, revokeReservations } from './changed-limit.queries.js';
import { nextNewContacts } from './clock.queries.js';
import { settleNewContact } from './new-contact-wait.js';
import { MAX_NEW_CONTACTS_REASON, type NewContactLimit, newContactsRule } from './new-contact-limit.js';
import { lockPlanning, returnNewContacts, selectReserved } from './new-contacts.queries.js';
import { simulateNewContacts } from './simulated-new-contacts.js';

interface NewContactFacts {
  /** The limit, unless the message needs no place among the new contacts. */
  readonly new_contacts?: Omit<NewContactLimit, 'schedule'> | null;
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
    if (!limit && !isNew) return null;
    const next = (instant: Date) => (campaignDay(schedule, instant) === day ? instant : null);
    if (!limit) return { reason: MAX_NEW_CONTACTS_REASON, next };
    const rule = newContactsRule({ schedule, ...limit });
    // A reservation that was revoked is for -infinity, which comes before every day.
    const hasPlace = (instant: Date) => day != null && day >= campaignDay(schedule, instant);
    return { ...rule, next: (instant) => (hasPlace(instant) ? instant : rule.next(instant)) };
  },
  stop: { when: () => sql`${needsPlace} AND message.new_on IS DISTINCT FROM candidate.day`, then: 'waiting' },
  enrolled: (scope) => sql`message.new_on::text AS new_on,
    CASE WHEN enrollment.status = 'pending' AND campaign.max_new_contacts_per_day IS NOT NULL THEN jsonb_build_object(
      'max_per_day', campaign.max_new_contacts_per_day, 'reserved', ${selectReserved(scope)}) END AS new_contacts`,
  claimed: () => sql`message.new_on::text AS new_on`,
  isReserved: ({ schedule }, { new_on: day }, at) => day == null || campaignDay(schedule, at) === day,
  checkedColumn: 'new_on',
  repeated: () => sql`${needsPlace} AS needs_place, message.new_on::text AS new_on`,
  settle: settleNewContact,
  refund: returnNewContacts,
  planning: { isLimited: sql`campaign.max_new_contacts_per_day IS NOT NULL`, lock: lockPlanning },
  estimate: { simulate: simulateNewContacts },
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
