import { sql } from '../../../platform/database/index.js';
import { makeDue } from '../release.queries.js';
import { type ContactRule, effect } from '../rule.js';
import { absenceEnd, isAway, OUT_OF_OFFICE } from './absence.js';
import { Absences } from './absences.service.js';

interface AbsenceFacts {
  /** The day on which the contact is back, as `YYYY-MM-DD`; null if it is not away. */
  readonly returns_on?: string | null;
  /** When the absence ends at the latest. */
  readonly ends_at?: Date | null;
}

/** A contact who is away gets nothing of a campaign. The days are those of the zone of the schedule. */
export const absence: ContactRule<AbsenceFacts, typeof OUT_OF_OFFICE> = {
  /** The contact is away. */
  reason: OUT_OF_OFFICE,
  level: 'contact',
  timing: ({ schedule }, { returns_on: day, ends_at: end }) => {
    if (!day || !end) return null;
    const period = { returns_on: day, ends_at: end };
    const next = (instant: Date) => (isAway(schedule, period, instant) ? absenceEnd(schedule, period) : instant);
    return { reason: OUT_OF_OFFICE, next };
  },
  facts: {
    select: (scope, lock) => sql`SELECT contact_id, returns_on::text AS returns_on, ends_at FROM absences
      WHERE workspace_id = ${scope} AND contact_id = ANY (ARRAY(SELECT recipient.contact_id FROM recipient))
        AND ends_at > ${scope.now} ${lock(sql`FOR SHARE`)}`,
    columns: sql`out_of_office.returns_on, out_of_office.ends_at`,
  },
  stop: {
    when: (scope) => sql`EXISTS (SELECT 1 FROM absences absence
      WHERE absence.workspace_id = ${scope} AND absence.contact_id = message.contact_id
        AND absence.returns_on >= candidate.day AND absence.ends_at > ${scope.now})`,
    then: 'waiting',
  },
  repeated: (scope) => {
    const absent = sql`FROM absences absence WHERE absence.workspace_id = ${scope} AND absence.contact_id = message.contact_id`;
    return sql`(SELECT absence.returns_on::text ${absent}) AS returns_on, (SELECT absence.ends_at ${absent}) AS ends_at`;
  },
  isStoredTime: true,
  providers: [Absences],
  effects: [
    effect('campaign.rescheduled', (scope, { campaign_id: id }) =>
      makeDue(scope, sql`message.campaign_id = ${id}`, [OUT_OF_OFFICE]),
    ),
  ],
};
