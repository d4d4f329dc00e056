import { Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  addReturned,
  lockForRates,
  pauseOverRate,
  type ReturnKind,
  subtractRefused,
} from './campaign-rates.queries.js';

/**
 * Pauses campaigns that are over their `stop_at_bounce_rate` or `stop_at_complaint_rate`, in the transaction of the bounce
 * or complaint that exceeds it ([ADR 54](../../../docs/adr/0054-campaigns-protect-themselves.md)).
 */
@Injectable()
export class CampaignProtection {
  constructor(
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {}

  /**
   * Locks campaigns of which messages are about to bounce. Call it first in the transaction: a pause locks the campaign
   * before its messages, too.
   * @param campaigns a sub-select of campaign IDs
   */
  lock(tx: WorkspaceScope, campaigns: Sql): Promise<void> {
    return lockForRates(tx, campaigns);
  }

  /**
   * Counts messages that have bounced or that were complained about, and pauses their campaigns if they are over a rate.
   * @param messages a sub-select of `campaign_id`, `returned_at` and `is_refused`: whether a server never accepted it
   */
  async countReturned(tx: WorkspaceScope, messages: Sql, kind: ReturnKind): Promise<void> {
    await this.pauseOver(tx, await addReturned(tx, messages, kind));
  }

  /** Undoes {@link countReturned} for messages that bounced without being sent, before they are queued again. */
  revokeBounced(tx: WorkspaceScope, messages: Sql): Promise<void> {
    return subtractRefused(tx, messages);
  }

  /** Compares the rates of campaigns, and pauses those that are over one. */
  compare(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    return scope.transaction(async (tx) => {
      await lockForRates(tx, sql`SELECT unnest(${[...campaignIds]}::bigint[])`);
      await this.pauseOver(tx, campaignIds);
    });
  }

  /**
   * Like {@link compare}, after messages were sent. Never rejects: the next message or bounce of the campaign repeats it.
   * @param scope without an open transaction
   */
  async compareAfterSend(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    if (campaignIds.length === 0) return;
    try {
      await this.compare(scope, campaignIds);
    } catch (error) {
      this.log.warn('cannot compare the rates of campaigns', { error });
    }
  }

  private async pauseOver(tx: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
    if (campaignIds.length === 0) return;
    const paused = await pauseOverRate(tx, campaignIds);
    if (paused.length === 0) return;
    await this.events.publish(tx, 'campaign.paused', { campaigns: sql`SELECT unnest(${paused}::bigint[])` });
  }
}
