import { Injectable } from '@nestjs/common';
import { Scheduled } from '@outreach/job-queue';
import { Database, type Sql, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignCompletion } from './campaign-completion.service.js';
import { hasWork, isDone } from './campaign-status.queries.js';

const COMPLETE_SECONDS = 5;
const REOPEN_SECONDS = 60;

const OWN = sql`campaign.workspace_id`;

/**
 * Completes and reopens campaigns that {@link CampaignCompletion} was not called for, or too early: after concurrent
 * transactions that ended the last enrollments, after the deletion of contacts, after a crash, or because a process of a former
 * version has enrolled contacts. It polls all workspaces and costs two index lookups per active campaign, and each minute one
 * per completed campaign.
 */
@Injectable()
export class FinishedCampaigns {
  private readonly database: Database;

  constructor(
    database: Database,
    private readonly completion: CampaignCompletion,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled('complete-finished-campaigns', COMPLETE_SECONDS)
  async complete(): Promise<void> {
    await this.forEachWorkspace(isDone(OWN), (scope, ids) => this.completion.completeIfDone(scope, ids));
  }

  /** During an update, processes of a former version give completed campaigns work and leave them completed. */
  @Scheduled('reopen-completed-campaigns', REOPEN_SECONDS)
  async reopen(): Promise<void> {
    await this.forEachWorkspace(sql`campaign.status = 'completed' AND ${hasWork(OWN)}`, (scope, ids) =>
      scope.transaction(async (tx) => {
        await this.completion.lock(tx, ids);
        await this.completion.reopen(tx, ids);
      }),
    );
  }

  /** @param condition on `campaign` */
  private async forEachWorkspace(
    condition: Sql,
    work: (scope: WorkspaceScope, campaignIds: readonly number[]) => Promise<void>,
  ): Promise<void> {
    const found = await this.database.onReachableNodes((within) =>
      this.database.query<{ workspace_id: number; ids: number[] }>(
        sql`SELECT campaign.workspace_id, array_agg(campaign.id) AS ids FROM campaigns campaign
            WHERE ${condition}${within(OWN)} GROUP BY campaign.workspace_id`,
      ),
    );
    for (const { workspace_id: workspaceId, ids } of found)
      await work(await WorkspaceScope.open(workspaceId, this.database), ids);
  }
}
