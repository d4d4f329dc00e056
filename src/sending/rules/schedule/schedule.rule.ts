import { nextSlot, scheduleFor } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import { type ContactRule, effect } from '../rule.js';
import { OUTSIDE_SCHEDULE, rescheduleClosed } from './reschedule.queries.js';

interface ZoneFacts {
  /** The time zone of the contact, if the schedule depends on it. */
  readonly timezone?: string | null;
}

/** The windows in which a campaign sends, in the zones of its contacts if the schedule says so. */
export const schedule: ContactRule<ZoneFacts, typeof OUTSIDE_SCHEDULE> = {
  /** The schedule of the campaign is closed. */
  reason: OUTSIDE_SCHEDULE,
  level: 'contact',
  timing: ({ schedule: windows }, { timezone }) => {
    if (!windows) return null;
    const own = scheduleFor(windows, timezone ?? null);
    return { reason: OUTSIDE_SCHEDULE, next: (instant) => nextSlot(own, instant) };
  },
  facts: {
    isNeeded: ({ schedule: windows }) => windows?.contact_timezone === true,
    select: (scope) => sql`SELECT id AS contact_id, timezone FROM contacts
      WHERE workspace_id = ${scope} AND id = ANY (ARRAY(SELECT recipient.contact_id FROM recipient))
        AND timezone IS NOT NULL`,
    columns: sql`outside_schedule.timezone`,
  },
  claimed: () => sql`contact.timezone`,
  repeated: () => sql`contact.timezone`,
  isOfCampaign: (windows) => !windows?.contact_timezone,
  hasUnplannedSteps: true,
  effects: [
    effect('campaign.rescheduled', (scope, { campaign_id: id }) =>
      rescheduleClosed(scope, sql`message.campaign_id = ${id}`),
    ),
    effect('contact.timezone_changed', (scope, { contacts }) =>
      rescheduleClosed(
        scope,
        sql`message.enrollment_id IN (
          SELECT enrollment.id FROM enrollments enrollment
          JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = enrollment.campaign_id
          WHERE enrollment.workspace_id = ${scope} AND ${sql.among(sql`enrollment.contact_id`, contacts)}
            AND campaign.schedule @> '{"contact_timezone": true}')`,
      ),
    ),
  ],
};
