import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DailyPartitions } from '@outreach/database';
import { Scheduled } from '@outreach/job-queue';
import { wallClock } from '../../platform/clock/index.js';
import { CONFIG } from '../../platform/config/index.js';
import { BODY_RETENTION_DAYS, LOG_RETENTION_DAYS } from '../logs/retention-days.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import type { ExpiringTable } from './expired-rows.queries.js';
import { StaleWebhooks } from './stale-webhooks.cross-tenant.js';
import { dropStaleDeliveries } from './waiting-deliveries.queries.js';

const HOUR_SECONDS = 3600;
const MS_A_DAY = 86_400_000;
const DAYS_AHEAD = 7;

/**
 * Deletes logs after 30 days by dropping daily partitions (API v1, "Limits"), and drops deliveries that waited too
 * long.
 */
@Injectable()
export class WebhookRetention implements OnApplicationBootstrap {
  constructor(
    private readonly partitions: DailyPartitions,
    private readonly stale: StaleWebhooks,
    @Inject(CONFIG) private readonly config: Pick<WebhooksConfig, 'event_retention_days'>,
  ) {}

  /** Creates the first partitions of a new installation before the first row. */
  async onApplicationBootstrap(): Promise<void> {
    await this.prepareDays();
  }

  @Scheduled('remove-expired-webhook-records', HOUR_SECONDS)
  async removeExpired(): Promise<void> {
    await this.prepareDays();
    await this.dropStale();
    await this.dropOldDays();
  }

  private async prepareDays(): Promise<void> {
    for (const [table] of this.tables) await this.partitions.extend(table, wallClock.now(), DAYS_AHEAD);
  }

  private async dropStale(): Promise<void> {
    for (const { scope, webhook_id: id } of await this.stale.olderThan(LOG_RETENTION_DAYS))
      await dropStaleDeliveries(scope, id);
  }

  private async dropOldDays(): Promise<void> {
    for (const [table, days] of this.tables) await this.partitions.dropBefore(table, daysAgo(days));
    await this.stale.deleteCountsBefore(daysAgo(LOG_RETENTION_DAYS));
    for (const [table, days] of this.tables) await this.stale.deleteOfSandboxes(table, days);
  }

  /** The tables with a partition for each day, and for how many days their rows are stored. */
  private get tables(): readonly (readonly [ExpiringTable, days: number])[] {
    return [
      ['webhook_logs', LOG_RETENTION_DAYS],
      ['webhook_events', BODY_RETENTION_DAYS],
      ['event_batches', this.config.event_retention_days],
    ];
  }
}

const daysAgo = (days: number): Date => new Date(wallClock.now().getTime() - days * MS_A_DAY);
