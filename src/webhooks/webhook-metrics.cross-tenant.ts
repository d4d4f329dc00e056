import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/database/index.js';
import { FAILURES_TO_DISABLE } from '@outreach/webhook-delivery';
import { declareGauge, Sampled } from '@outreach/metrics';
import { SAMPLE_LIMITS } from '@outreach/database';

const SECONDS = 60;

/** Limits the duration of the count. */
const MAX_COUNTED = 100_000;

const webhooks = declareGauge({
  name: 'outreach_webhooks',
  help:
    'Webhooks of all workspaces, the same in every process: `healthy`, `failing`, `disabled` (inactive after ten failed ' +
    'attempts in a row) and `inactive` (by request)',
  labelNames: ['state'] as const,
});

const waiting = declareGauge({
  name: 'outreach_webhook_deliveries_waiting',
  help: 'Deliveries to webhooks that are due or wait for their next attempt, the same in every process; exact up to 100,000',
});

interface WebhookCounts {
  readonly healthy: number;
  readonly failing: number;
  readonly disabled: number;
  readonly inactive: number;
  readonly waiting: number;
}

/** Samples the webhooks of all workspaces. */
@Injectable()
export class WebhookMetrics {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  @Sampled({ name: 'webhooks', gauges: [webhooks, waiting], seconds: SECONDS })
  async countStates(): Promise<void> {
    const disabled = sql`failure_count >= ${FAILURES_TO_DISABLE}`;
    const [counts] = await this.database.query<WebhookCounts & { waiting: number }>(
      sql`SELECT * FROM (
            SELECT count(*) FILTER (WHERE is_active AND failure_count = 0) AS healthy,
              count(*) FILTER (WHERE is_active AND failure_count > 0) AS failing,
              count(*) FILTER (WHERE NOT is_active AND ${disabled}) AS disabled,
              count(*) FILTER (WHERE NOT is_active AND NOT (${disabled})) AS inactive
            FROM webhooks) states
          CROSS JOIN (
            SELECT count(*) AS waiting FROM (SELECT 1 FROM webhook_deliveries LIMIT ${MAX_COUNTED}) counted) deliveries`,
    );
    if (!counts) return;
    const { waiting: deliveries, ...states } = counts;
    waiting.set(deliveries);
    for (const [state, count] of Object.entries(states)) webhooks.set({ state }, Number(count));
  }
}
