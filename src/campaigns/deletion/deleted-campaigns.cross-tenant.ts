import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { Scheduled } from '@outreach/job-queue';
import { Database, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type CreationCursor, FIRST_CURSOR } from '../enrollments/creation-cursor.js';
import { CampaignDeletion } from './campaign-deletion.js';

const INTERVAL_SECONDS = 2;
/** How long one run deletes a campaign, before others have a turn. */
const MAX_TURN_MS = 3_000;

/** SQL condition: a campaign is marked as deleted. It reads one index. */
const hasDeletedCampaigns = sql`EXISTS (SELECT 1 FROM campaigns WHERE deleted_at IS NOT NULL)`;

/**
 * Deletes the rest of the campaigns that were too much for the request, in workers. A worker that dies leaves them to another
 * one.
 */
@Injectable()
export class DeletedCampaigns implements BeforeApplicationShutdown {
  private readonly database: Database;
  private readonly stopping = new AbortController();

  constructor(
    database: Database,
    private readonly deletion: CampaignDeletion,
    private readonly log: Log,
  ) {
    this.database = database.withoutTimeLimits();
  }

  @Scheduled('delete-campaigns', INTERVAL_SECONDS, hasDeletedCampaigns)
  async run(): Promise<void> {
    const campaigns = await this.database.query<{ workspace_id: number; id: number }>(
      sql`SELECT workspace_id, id FROM campaigns WHERE deleted_at IS NOT NULL ORDER BY workspace_id, id`,
    );
    for (const { workspace_id: workspaceId, id } of campaigns) {
      await this.deleteSome(await WorkspaceScope.open(workspaceId, this.database), id);
    }
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async deleteSome(scope: WorkspaceScope, id: number): Promise<void> {
    const deadline = performance.now() + MAX_TURN_MS;
    let after: CreationCursor | undefined = FIRST_CURSOR;
    try {
      while (after && !this.stopping.signal.aborted && performance.now() < deadline) {
        const from: CreationCursor = after;
        after = await scope.transaction((tx) => this.deletion.deleteChunk(tx, id, from));
      }
    } catch (error) {
      this.log.error('a campaign could not be deleted; it is repeated', {
        workspace_id: scope.workspace_id,
        campaign_id: id,
        error,
      });
    }
  }
}
