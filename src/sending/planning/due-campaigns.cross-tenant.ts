import { MAX_UNTOUCHED_SECONDS } from '@outreach/job-queue';
import { allInRealTime, sql, type Sql } from '../../platform/database/index.js';
import { isCampaignDue, isDueOf, isDueOfAny } from '../due-work.cross-tenant.js';
import { hasCapacity, isInRotation } from './capacity.queries.js';

/**
 * Selects campaigns with steps that have been due for a minute, and that planning leaves alone. Of slow accounts, only so many
 * messages are queued: their steps stay due for days, and do not count.
 */
export function untouchedCampaigns(): Sql {
  const workspace = sql`campaign.workspace_id`;
  const earlier = sql`(${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS}))`;
  const account = (which: Sql) =>
    sql`EXISTS (SELECT 1 FROM email_accounts account WHERE account.workspace_id = ${workspace} AND ${which})`;
  const [mayQueue, rotates] = [hasCapacity(workspace), isInRotation(workspace)];
  const ownSteps = isDueOf(earlier, sql`due.email_account_id = account.id`);
  return sql`SELECT campaign.workspace_id, campaign.id FROM campaigns campaign
    WHERE ${isCampaignDue(allInRealTime)}
      AND NOT EXISTS (
        SELECT 1 FROM all_messages message WHERE message.workspace_id = ${workspace}
          AND message.campaign_id = campaign.id AND message.created_at > ${earlier})
      AND (${account(sql`${mayQueue} AND ${ownSteps}`)}
        OR ${isDueOfAny(earlier)} AND ${account(rotates)} AND NOT ${account(sql`${rotates} AND NOT ${mayQueue}`)})`;
}
