import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignCompletion } from './campaign-completion.service.js';
import { isDone } from './campaign-status.queries.js';

/** The campaigns of a workspace that have nothing left to send. */
@Injectable()
export class CampaignClockWork {
  constructor(private readonly completion: CampaignCompletion) {}

  @GoesByClock()
  ended(scope: WorkspaceScope): ClockWork {
    const done = sql`SELECT campaign.id FROM campaigns campaign WHERE campaign.workspace_id = ${scope} AND ${isDone(scope)}`;
    return {
      isPending: sql`EXISTS (${done})`,
      run: async () => {
        const campaigns = await scope.query<{ id: number }>(done);
        await this.completion.completeIfDone(
          scope,
          campaigns.map(({ id }) => id),
        );
      },
    };
  }
}
