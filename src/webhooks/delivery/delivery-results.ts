import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import '../webhooks.events.js';
import { TEST_EVENT } from '../event-names.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import { lockWebhook } from '../webhooks.queries.js';
import { attemptsMade, webhooksDisabled } from './metrics.js';
import { FAILURES_TO_DISABLE, openDelay, retryDelay, type Schedules } from './circuit-breaker.js';
import { type CompletedAttempt, recordDelivered, recordFailed, writeHealth } from './delivery-results.queries.js';

/** What a failed attempt leads to for its webhook: the next attempt at once, after a pause, or none any more. */
export type FailureResult = 'go on' | 'pause' | 'disabled';

/** Writes down what came of attempts: log, delivery, health of the webhook and events, in one transaction each. */
@Injectable()
export class DeliveryResults {
  private readonly schedules: Schedules;

  constructor(
    @Inject(CONFIG) config: WebhooksConfig,
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {
    this.schedules = { retries: config.webhook_retry_schedule, probes: config.webhook_probe_schedule };
  }

  async delivered(scope: WorkspaceScope, made: readonly CompletedAttempt[]): Promise<void> {
    await recordDelivered(scope, made);
    attemptsMade.inc({ outcome: 'success' }, made.filter(isNoTest).length);
  }

  /**
   * The tenth failure in a row makes the webhook inactive (API v1, "Webhook activity"). Each attempt counts once; tests
   * that are sent again count as little as tests, and are not retried.
   */
  async failed(scope: WorkspaceScope, made: CompletedAttempt): Promise<FailureResult> {
    const after = await scope.transaction((tx) => this.recordFailure(tx, made));
    if (isNoTest(made)) attemptsMade.inc({ outcome: 'failure' });
    if (after === 'disabled') this.reportDisabled(made);
    return after;
  }

  private async recordFailure(tx: WorkspaceScope, made: CompletedAttempt): Promise<FailureResult> {
    const { delivery, result } = made;
    const before = await lockWebhook(tx, delivery.webhook_id);
    if (!before) return 'pause'; // Deleted meanwhile, with all that was due for it.
    if (!isNoTest(made)) {
      await recordFailed(tx, made, undefined);
      return 'go on';
    }
    const retryIn = retryDelay(this.schedules, { ...result, failures: delivery.attempt }, Math.random);
    if (!(await recordFailed(tx, made, retryIn))) return 'pause';
    const failures = before.failure_count + 1;
    const isActive = before.is_active && failures < FAILURES_TO_DISABLE;
    const pause = isActive ? openDelay(this.schedules, { ...result, failures }, Math.random) : 0;
    await writeHealth(tx, delivery.webhook_id, { failure_count: failures, is_active: isActive }, pause);
    if (before.is_active && !isActive) {
      await this.events.publish(tx, 'webhook.disabled', { webhook_id: delivery.webhook_id });
      return 'disabled';
    }
    return pause > 0 ? 'pause' : 'go on';
  }

  private reportDisabled({ delivery, result }: CompletedAttempt): void {
    webhooksDisabled.inc();
    this.log.warn('a webhook was disabled: ten attempts in a row have failed', {
      webhook_id: delivery.webhook_id,
      status_code: result.status_code,
    });
  }
}

const isNoTest = ({ delivery }: CompletedAttempt): boolean => delivery.event !== TEST_EVENT;
