import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { nextCampaignDay } from '../campaign-day.js';

/** SELECT of when planning of `campaign` continues with new contacts. */
export const nextNewContacts = async (scope: WorkspaceScope): Promise<Sql> => selectNext(scope, await nextDays(scope));

/** The zone of a campaign's schedule, and when its next day begins. */
interface NextDay {
  readonly zone: string;
  readonly at: Date;
}

/** Returns the next day of each zone of campaigns that have reached their limit: PostgreSQL may not know a zone. */
async function nextDays(scope: WorkspaceScope): Promise<NextDay[]> {
  const zones = await scope.query<{ timezone: string; now: Date }>(
    sql`SELECT DISTINCT ${ZONE} AS timezone, ${scope.now} AS now FROM campaigns campaign
        WHERE campaign.workspace_id = ${scope} AND campaign.status = 'active' AND campaign.new_contacts_from > ${scope.now}`,
  );
  return zones.map(({ timezone, now }) => ({ zone: timezone, at: nextCampaignDay({ timezone }, now) }));
}

const ZONE = sql`coalesce(campaign.schedule ->> 'timezone', 'UTC')`;

/**
 * When new contacts of `campaign` are due. If their limit is reached, planning looks again every minute, because cancelled
 * messages free places; by the clock they wait for the next day. A campaign whose day is not known has just reached its limit.
 */
const selectNext = (scope: WorkspaceScope, days: readonly NextDay[]) => sql`
  SELECT CASE WHEN campaign.new_contacts_from > ${scope.now}
    THEN coalesce((
      SELECT day.begins_at FROM unnest(${days.map(({ zone }) => zone)}::text[], ${days.map(({ at }) => at)}::timestamptz[])
        AS day (zone, begins_at) WHERE day.zone = ${ZONE}), campaign.new_contacts_from)
    ELSE first.due_at END
  FROM (
    SELECT due.due_at FROM due_steps due
    WHERE due.workspace_id = ${scope} AND due.campaign_id = campaign.id AND due.email_account_id IS NULL
      AND due.due_at > CASE WHEN campaign.new_contacts_from > ${scope.now} THEN '-infinity' ELSE ${scope.now} END
      AND isfinite(due.due_at)
    ORDER BY due.due_at LIMIT 1) first`;
