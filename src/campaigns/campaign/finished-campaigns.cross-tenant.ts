import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Scheduled } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignCompletion } from './campaign-completion.service.js';
import { isDone } from './campaign-status.queries.js';

const POLL_INTERVAL_SECONDS = 5;

/**
 * Completes campaigns that {@link CampaignCompletion} was not called for, or too early: after concurrent transactions
 * that ended the last enrollments, after the deletion of contacts, or after a crash. It polls all workspaces and costs
 * two index lookups per active campaign.
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

  @Scheduled('complete-finished-campaigns', POLL_INTERVAL_SECONDS)
  async complete(): Promise<void> {
    const done = await this.database.query<{ workspace_id: number; ids: number[] }>(
      sql`SELECT campaign.workspace_id, array_agg(campaign.id) AS ids FROM campaigns campaign
          WHERE ${isDone} GROUP BY campaign.workspace_id`,
    );
    for (const { workspace_id: workspaceId, ids } of done) {
      await this.completion.completeIfDone(WorkspaceScope.open(workspaceId, this.database), ids);
    }
  }
}
