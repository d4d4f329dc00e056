import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DailyPartitions } from '../../platform/database/index.js';
import { Scheduled } from '../../platform/queue/index.js';
import { LOG_RETENTION_DAYS } from '../logs/retention-days.js';
import { dropWaiting, MAX_WAIT_HOURS } from '../waiting.queries.js';
import { lockWebhook } from '../webhooks.queries.js';
import { StaleWebhooks } from './stale-webhooks.cross-tenant.js';

const HOUR_SECONDS = 3600;
const MS_A_DAY = 86_400_000;
const HOURS_A_DAY = 24;
const DAYS_AHEAD = 7;

/** An event outlives the logs of the last attempt at it, which may come days later. */
const EVENT_RETENTION_DAYS = 2 * LOG_RETENTION_DAYS;

/** Keeps logs for as long as they are promised, and removes them at no cost (API v1, "Limits"). */
@Injectable()
export class WebhookRetention implements OnApplicationBootstrap {
  constructor(
    private readonly partitions: DailyPartitions,
    private readonly stale: StaleWebhooks,
  ) {}

  /** A new installation has its first partition before its first row. */
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
    const today = new Date();
    await this.partitions.extend('webhook_logs', today, DAYS_AHEAD);
    await this.partitions.extend('webhook_events', today, DAYS_AHEAD);
  }

  /** What waits for an inactive webhook beyond its time, and what would lose its event. */
  private async dropStale(): Promise<void> {
    for (const { scope, webhook_id: id } of await this.stale.webhooks(LOG_RETENTION_DAYS)) {
      await scope.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, id);
        if (webhook) await dropWaiting(tx, id, webhook.is_active ? LOG_RETENTION_DAYS * HOURS_A_DAY : MAX_WAIT_HOURS);
      });
    }
  }

  private async dropOldDays(): Promise<void> {
    await this.partitions.dropBefore('webhook_logs', daysAgo(LOG_RETENTION_DAYS));
    await this.partitions.dropBefore('webhook_events', daysAgo(EVENT_RETENTION_DAYS));
    await this.stale.deleteCountsBefore(daysAgo(LOG_RETENTION_DAYS));
  }
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * MS_A_DAY);
