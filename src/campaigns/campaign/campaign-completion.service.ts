import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from './campaign.entity.js';
import { completeCampaigns, isDone, lockAgainstCompletion, reopenCampaigns } from './campaign-status.queries.js';

/** Long enough for many results of a campaign. */
const CHECK_DELAY_MS = 200;

interface CampaignsToCheck {
  readonly scope: WorkspaceScope;
  readonly ids: Set<number>;
}

/**
 * Completes campaigns that have no work left (API v1, "Events": campaign.completed), and makes them active when they have work
 * again (decisions, part 7).
 */
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
          WHERE campaign.workspace_id = ${scope} AND campaign.id = ANY(${[...campaignIds]}::bigint[]) AND ${isDone(scope)}`,
    );
    if (done.length > 0)
      await scope.transaction((tx) =>
        this.complete(
          tx,
          done.map(({ id }) => id),
        ),
      );
  }

  private async complete(tx: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    await this.publish(tx, 'campaign.completed', await completeCampaigns(tx, campaignIds));
  }

  /**
   * A campaign has got steps that may be due, in this transaction, which has locked its row before: planning reads them. If it
   * was completed, it is active again.
   */
  async noteWork(tx: WorkspaceScope, { id, status }: Pick<Campaign, 'id' | 'status'>): Promise<void> {
    if (status === 'completed') await this.reopen(tx, [id]);
    else if (status === 'active') await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
  }

  /** Call it before enrollments of these campaigns run again, and {@link reopen} after that. */
  lock(tx: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    return lockAgainstCompletion(tx, campaignIds);
  }

  /**
   * Makes those of the campaigns active that are completed and have work again, or pauses them if nothing can send it. Call it
   * under {@link lock} or a stronger one.
   */
  async reopen(tx: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    const { active, paused } = await reopenCampaigns(tx, campaignIds);
    await this.publish(tx, 'campaign.started', active);
    await this.publish(tx, 'campaign.paused', paused);
    for (const id of active) await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
  }

  private async publish(
    tx: WorkspaceScope,
    event: 'campaign.started' | 'campaign.paused' | 'campaign.completed',
    ids: readonly number[],
  ): Promise<void> {
    if (ids.length > 0) await this.events.publish(tx, event, { campaigns: sql`SELECT unnest(${[...ids]}::bigint[])` });
  }
}
