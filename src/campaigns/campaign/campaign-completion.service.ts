import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The active campaign `campaign` has enrollments, and none of them sends anything more. */
export const isDone: Sql = sql`campaign.status = 'active'
  AND EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = campaign.workspace_id AND enrollment.campaign_id = campaign.id)
  AND NOT EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = campaign.workspace_id AND enrollment.campaign_id = campaign.id
      AND enrollment.status IN ('pending', 'in_progress'))`;

/** Ends campaigns that have nothing left to send (API v1, "Events": campaign.completed). */
@Injectable()
export class CampaignCompletion {
  constructor(private readonly events: DomainEvents) {}

  /**
   * Completes those of the campaigns that are done, each once, however many ask at the same time. The first look is
   * cheap and locks nothing. Ask after the commit of what ended the enrollments: of two open transactions that end the
   * last ones, neither sees the other. What is missed that way is completed within seconds by a worker.
   */
  async completeIfDone(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    if (campaignIds.length === 0) return;
    const done = await scope.query<{ id: number }>(
      sql`SELECT campaign.id FROM campaigns campaign
          WHERE campaign.workspace_id = ${scope} AND campaign.id = ANY(${[...campaignIds]}::bigint[]) AND ${isDone}`,
    );
    if (done.length > 0)
      await scope.transaction((tx) =>
        this.complete(
          tx,
          done.map(({ id }) => id),
        ),
      );
  }

  private async complete(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    const these = sql`campaign.workspace_id = ${scope} AND campaign.id = ANY(${[...campaignIds]}::bigint[])`;
    // The lock waits for enrollments that are just being written, and the second statement sees them.
    await scope.query(sql`SELECT 1 FROM campaigns campaign WHERE ${these} ORDER BY campaign.id FOR UPDATE`);
    const completed = await scope.query<{ id: number }>(
      sql`UPDATE campaigns campaign SET status = 'completed', completed_at = now(), updated_at = now()
          WHERE ${these} AND ${isDone} RETURNING campaign.id`,
    );
    if (completed.length === 0) return;
    const ids = completed.map(({ id }) => id);
    await this.events.publish(scope, 'campaign.completed', { campaigns: sql`SELECT unnest(${ids}::bigint[])` });
  }
}
