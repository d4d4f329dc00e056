import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge, register } from 'prom-client';
import { Database, sql } from '../platform/database/index.js';
import { Log } from '../platform/logging/index.js';
import { FAILURES_TO_DISABLE } from './delivery/retry-schedule.js';

const WEBHOOKS = 'outreach_webhooks';
const WAITING = 'outreach_webhook_deliveries_waiting';

/** Limits the duration of the count. */
const MAX_COUNTED = 100_000;

interface WebhookStates {
  readonly healthy: number;
  readonly failing: number;
  readonly disabled: number;
  readonly inactive: number;
}

/**
 * Prometheus metrics of all workspaces. Each scrape reads them from the database, so that every process reports the same
 * values.
 */
@Injectable()
export class WebhookMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    // If a process starts two applications (tests), the last one provides the metrics.
    for (const name of [WEBHOOKS, WAITING]) register.removeSingleMetric(name);
    const webhooks: Gauge<'state'> = new Gauge({
      name: WEBHOOKS,
      help: 'Webhooks by state; disabled ones are inactive after ten failed attempts in a row',
      labelNames: ['state'] as const,
      collect: () => this.collect(webhooks, async () => this.countStates(webhooks)),
    });
    const waiting: Gauge = new Gauge({
      name: WAITING,
      help: `Deliveries that are due or wait for their next attempt, counted up to ${MAX_COUNTED}`,
      collect: () => this.collect(waiting, async () => this.countWaiting(waiting)),
    });
  }

  /** If the database is down, the metric is missing and the others are still reported. */
  private async collect(gauge: Gauge, read: () => Promise<void>): Promise<void> {
    gauge.reset();
    await read().catch((error: unknown) => this.log.warn('the metrics of webhooks could not be read', { error }));
  }

  private async countStates(gauge: Gauge<'state'>): Promise<void> {
    const disabled = sql`failure_count >= ${FAILURES_TO_DISABLE}`;
    const [states] = await this.database.query<WebhookStates & { healthy: number }>(
      sql`SELECT count(*) FILTER (WHERE is_active AND failure_count = 0) AS healthy,
            count(*) FILTER (WHERE is_active AND failure_count > 0) AS failing,
            count(*) FILTER (WHERE NOT is_active AND ${disabled}) AS disabled,
            count(*) FILTER (WHERE NOT is_active AND NOT (${disabled})) AS inactive
          FROM webhooks`,
    );
    for (const [state, count] of Object.entries(states ?? {})) gauge.set({ state }, Number(count));
  }

  private async countWaiting(gauge: Gauge): Promise<void> {
    const [row] = await this.database.query<{ waiting: number }>(
      sql`SELECT count(*) AS waiting FROM (SELECT 1 FROM webhook_deliveries LIMIT ${MAX_COUNTED}) counted`,
    );
    gauge.set(row?.waiting ?? 0);
  }
}
