import { nextSlot, type Schedule, scheduleFor } from '@outreach/time-windows';
import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import type { DueAccount } from '../release.queries.js';

/** Why a message waits for the window of its campaign, as the API shows it. */
export const OUTSIDE_SCHEDULE = 'outside_schedule';

/**
 * Computes anew until when messages wait for a schedule, once for each campaign and time zone of contacts.
 * @param which a condition on `message`
 * @returns the accounts that have due messages now
 */
export async function rescheduleClosed(scope: WorkspaceScope, which: Sql): Promise<DueAccount[]> {
  const closed = sql`message.workspace_id = ${scope} AND message.status = 'queued' AND message.lease_until IS NULL
    AND message.reason = ${OUTSIDE_SCHEDULE} AND (${which})`;
  const zones = await scope.query<ZonedCampaign>(
    sql`SELECT zone.campaign_id, zone.timezone, campaign.schedule, ${scope.now} AS now FROM (
          SELECT DISTINCT message.campaign_id, contact.timezone FROM queued_messages message
          JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id WHERE ${closed}) zone
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = zone.campaign_id`,
  );
  if (zones.length === 0) return [];
  const slots = zones.map(({ schedule, timezone, now }) => {
    const at = schedule ? nextSlot(scheduleFor(schedule, timezone), now) : now;
    return { at, reason: at?.getTime() === now.getTime() ? null : OUTSIDE_SCHEDULE };
  });
  return scope.query(
    sql`WITH slot AS (
          SELECT * FROM unnest(
            ${zones.map((zone) => zone.campaign_id)}::bigint[], ${zones.map((zone) => zone.timezone)}::text[],
            ${slots.map(({ reason }) => reason)}::text[], ${slots.map(({ at }) => at)}::timestamptz[])
            AS slot (campaign_id, timezone, reason, opens_at)
        ), changed AS (
          UPDATE queued_messages message SET reason = slot.reason, updated_at = ${scope.now},
            next_attempt_at = CASE WHEN slot.reason IS NULL THEN ${scope.now} ELSE coalesce(slot.opens_at, 'infinity') END
          FROM slot, contacts contact
          WHERE ${closed} AND contact.workspace_id = ${scope} AND contact.id = message.contact_id
            AND slot.campaign_id = message.campaign_id AND slot.timezone IS NOT DISTINCT FROM contact.timezone
          RETURNING message.email_account_id, message.reason
        )
        SELECT DISTINCT email_account_id FROM changed WHERE reason IS NULL AND email_account_id IS NOT NULL`,
  );
}

interface ZonedCampaign {
  readonly campaign_id: number;
  readonly schedule: Schedule | null;
  /** Of contacts; null if they have none. */
  readonly timezone: string | null;
  readonly now: Date;
}
