import { Injectable } from '@nestjs/common';
import { MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '@outreach/job-queue';
import { allInRealTime, Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DueWork, isDueOf, isDueOfAny } from '../due-work.cross-tenant.js';
import { hasCapacity, isInRotation } from './capacity.queries.js';

/** The campaigns of all workspaces with steps that planning can queue. */
@Injectable()
export class DueCampaigns {
  /** Campaigns with steps that have been due for a minute, and that planning leaves alone. */
  readonly untouched: UntouchedKeys;

  constructor(
    database: Database,
    private readonly due: DueWork,
  ) {
    this.untouched = new UntouchedKeys(database, () => this.untouchedOnes());
  }

  /** See {@link DueWork.campaigns}. */
  keys(workspaces: WorkspacesInTime): Sql {
    return this.due.campaigns(workspaces);
  }

  /** Of slow accounts, only so many messages are queued: their steps stay due for days, and do not count. */
  private untouchedOnes(): Sql {
    const workspace = sql`campaign.workspace_id`;
    const earlier = sql`(${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS}))`;
    const account = (which: Sql) =>
      sql`EXISTS (SELECT 1 FROM email_accounts account WHERE account.workspace_id = ${workspace} AND ${which})`;
    const [mayQueue, rotates] = [hasCapacity(workspace), isInRotation(workspace)];
    const ownSteps = isDueOf(earlier, sql`due.email_account_id = account.id`);
    return sql`SELECT campaign.workspace_id, campaign.id FROM campaigns campaign
      WHERE ${this.due.isCampaignDue(allInRealTime)}
        AND NOT EXISTS (
          SELECT 1 FROM all_messages message WHERE message.workspace_id = ${workspace}
            AND message.campaign_id = campaign.id AND message.created_at > ${earlier})
        AND (${account(sql`${mayQueue} AND ${ownSteps}`)}
          OR ${isDueOfAny(earlier)} AND ${account(rotates)} AND NOT ${account(sql`${rotates} AND NOT ${mayQueue}`)})`;
  }
}
