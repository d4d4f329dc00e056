import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DailyPartitions } from '../../platform/database/index.js';
import { Every } from '../../platform/queue/index.js';
import { DAYS_KEPT } from '../logs/days-kept.js';
import { dropWaiting, WAITS_HOURS } from '../waiting.queries.js';
import { lockWebhook } from '../webhooks.queries.js';
import { StaleWebhookRows } from './stale.crossing.js';

const HOUR_SECONDS = 3600;
const MS_A_DAY = 86_400_000;
const HOURS_A_DAY = 24;
const DAYS_AHEAD = 7;

/** An event outlives the logs of the last attempt at it, which may come days later. */
const EVENT_DAYS_KEPT = 2 * DAYS_KEPT;

/** Keeps logs for as long as they are promised, and removes them at no cost (API v1, "Limits"). */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  constructor(
    private readonly partitions: DailyPartitions,
    private readonly stale: StaleWebhookRows,
  ) {}

  /** A new installation has its first partition before its first row. */
  async onApplicationBootstrap(): Promise<void> {
    await this.prepareDays();
  }

  @Every(HOUR_SECONDS)
  async keepHouse(): Promise<void> {
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
    for (const { scope, webhook_id: id } of await this.stale.webhooks(DAYS_KEPT)) {
      await scope.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, id);
        if (webhook) await dropWaiting(tx, id, webhook.is_active ? DAYS_KEPT * HOURS_A_DAY : WAITS_HOURS);
      });
    }
  }

  private async dropOldDays(): Promise<void> {
    await this.partitions.dropBefore('webhook_logs', daysAgo(DAYS_KEPT));
    await this.partitions.dropBefore('webhook_events', daysAgo(EVENT_DAYS_KEPT));
    await this.stale.forgetCounts(daysAgo(DAYS_KEPT));
  }
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * MS_A_DAY);
