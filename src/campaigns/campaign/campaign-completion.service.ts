import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/**
 * SQL condition: the active campaign `campaign` has enrollments, all of them have ended, and it does not enroll others by
 * itself.
 */
export const isDone: Sql = sql`campaign.status = 'active' AND NOT campaign.auto_enrolls
  AND EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = campaign.workspace_id AND enrollment.campaign_id = campaign.id)
  AND NOT EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = campaign.workspace_id AND enrollment.campaign_id = campaign.id
      AND enrollment.status IN ('pending', 'in_progress'))`;

/** Long enough for many results of a campaign. */
const CHECK_DELAY_MS = 200;

interface CampaignsToCheck {
  readonly scope: WorkspaceScope;
  readonly ids: Set<number>;
}

/** Completes campaigns that have nothing left to send (API v1, "Events": campaign.completed). */
@Injectable()
export class CampaignCompletion implements OnApplicationShutdown {
  private readonly soon = new Map<number, CampaignsToCheck>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {}

  /** A worker that stops leaves the last check to `FinishedCampaigns` of another one. */
  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** Like {@link completeIfDone}, once for all calls of a fifth of a second. @param scope without an open transaction */
  completeSoon(scope: WorkspaceScope, campaignIds: readonly number[]): void {
    if (campaignIds.length === 0) return;
    const known = this.soon.get(scope.workspace_id) ?? { scope, ids: new Set() };
    for (const id of campaignIds) known.ids.add(id);
    this.soon.set(scope.workspace_id, known);
    this.timer ??= setTimeout(() => void this.checkAll(), CHECK_DELAY_MS);
  }

  /** Never rejects: `FinishedCampaigns` repeats a check that failed. */
  private async checkAll(): Promise<void> {
    this.timer = undefined;
    const checks = [...this.soon.values()];
    this.soon.clear();
    try {
      for (const { scope, ids } of checks) await this.completeIfDone(scope, [...ids]);
    } catch (error) {
      this.log.warn('cannot complete campaigns', { error });
    }
  }

  /**
   * Completes those of the campaigns in which all enrollments have ended. Concurrent calls complete a campaign once. The
   * first query is cheap and takes no lock. Call it after the commit of the transaction that ended the enrollments: if
   * two open transactions end the last two, neither sees the other. A worker completes such campaigns within seconds.
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
    // The lock waits for transactions that are adding enrollments, so that the next statement sees these.
    await scope.query(sql`SELECT 1 FROM campaigns campaign WHERE ${these} ORDER BY campaign.id FOR UPDATE`);
    const completed = await scope.query<{ id: number }>(
      sql`UPDATE campaigns campaign SET status = 'completed', completed_at = ${scope.now}, updated_at = ${scope.now}
          WHERE ${these} AND ${isDone} RETURNING campaign.id`,
    );
    if (completed.length === 0) return;
    const ids = completed.map(({ id }) => id);
    await this.events.publish(scope, 'campaign.completed', { campaigns: sql`SELECT unnest(${ids}::bigint[])` });
  }
}
