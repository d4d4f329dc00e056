import { Injectable } from '@nestjs/common';
import { ANY_ACCOUNT } from '../../campaigns/index.js';
import { allInRealTime, Database, type Sql, sql } from '../../platform/database/index.js';
import { type JobKey, MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '../../platform/queue/index.js';
import { DueWork } from '../due-work.cross-tenant.js';
import { hasCapacity, isInRotation } from './capacity.queries.js';

/** The campaigns that planning leaves alone although it could queue messages of theirs. */
@Injectable()
export class UntouchedCampaigns {
  private readonly untouched: UntouchedKeys;

  constructor(
    database: Database,
    private readonly due: DueWork,
  ) {
    this.untouched = new UntouchedKeys(database, () => this.keys());
  }

  /** See {@link UntouchedKeys.find}. */
  find(): Promise<readonly JobKey[]> {
    return this.untouched.find();
  }

  /**
   * Campaigns with steps that have been due for {@link MAX_UNTOUCHED_SECONDS}, of which no message was queued since. Of slow
   * accounts, only so many messages are queued: their steps stay due for days.
   */
  private keys(): Sql {
    const workspace = sql`campaign.workspace_id`;
    const earlier = sql`(${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS}))`;
    const dueOf = (sender: Sql) => sql`EXISTS (
      SELECT 1 FROM due_steps due WHERE due.workspace_id = campaign.workspace_id AND due.campaign_id = campaign.id
        AND due.due_at <= ${earlier} AND ${sender})`;
    const account = (which: Sql) =>
      sql`EXISTS (SELECT 1 FROM email_accounts account WHERE account.workspace_id = campaign.workspace_id AND ${which})`;
    const dueOfAny = sql`(${dueOf(sql`due.email_account_id = ${ANY_ACCOUNT}`)}
      OR coalesce(campaign.new_contacts_from <= ${sql.realNow}, TRUE) AND ${dueOf(sql`due.email_account_id IS NULL`)})`;
    const [mayQueue, rotates] = [hasCapacity(workspace), isInRotation(workspace)];
    return sql`WITH plannable AS MATERIALIZED (${this.due.plannable(allInRealTime, MAX_UNTOUCHED_SECONDS)})
      SELECT campaign.workspace_id, campaign.id FROM plannable
      JOIN campaigns campaign ON campaign.workspace_id = plannable.workspace_id AND campaign.id = plannable.id
      WHERE NOT EXISTS (
          SELECT 1 FROM all_messages message WHERE message.workspace_id = campaign.workspace_id
            AND message.campaign_id = campaign.id AND message.created_at > ${earlier})
        AND (${account(sql`${mayQueue} AND ${dueOf(sql`due.email_account_id = account.id`)}`)}
          OR ${dueOfAny} AND ${account(rotates)} AND NOT ${account(sql`${rotates} AND NOT ${mayQueue}`)})`;
  }
}
