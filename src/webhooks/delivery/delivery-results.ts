import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { Log } from '../../platform/logging/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import '../webhook.events.js';
import { TEST_EVENT } from '../event-names.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import { lockWebhook } from '../webhooks.queries.js';
import { type CompletedAttempt, recordDelivered, recordFailed, updateHealth } from './delivery-results.queries.js';
import { attemptsMade, webhooksDisabled } from './metrics.js';
import { FAILURES_TO_DISABLE, openDelay, retryDelay, type RetrySchedules } from './retry-schedule.js';

/**
 * The result of a failed attempt for its webhook. `failed`: deliveries continue immediately. `paused`: the circuit is
 * open. `disabled`: the webhook was made inactive. `skipped`: the attempt was recorded before, or the webhook was
 * deleted.
 */
export type FailureResult = 'failed' | 'paused' | 'disabled' | 'skipped';

/** Records the results of attempts. The log, the delivery, the webhook and events are written in one transaction. */
@Injectable()
export class DeliveryResults {
  private readonly schedules: RetrySchedules;

  constructor(
    @Inject(CONFIG) config: WebhooksConfig,
    private readonly events: DomainEvents,
    private readonly log: Log,
  ) {
    this.schedules = { retries: config.webhook_retry_schedule, probes: config.webhook_probe_schedule };
  }

  async delivered(scope: WorkspaceScope, attempts: readonly CompletedAttempt[]): Promise<void> {
    await recordDelivered(scope, attempts);
    attemptsMade.inc({ outcome: 'success' }, attempts.filter(countsForWebhook).length);
  }

  /**
   * The tenth failure in a row makes the webhook inactive (API v1, "Webhook activity"). An attempt that is recorded
   * twice counts once. A redelivered test does not count and is not retried.
   */
  async failed(scope: WorkspaceScope, attempt: CompletedAttempt): Promise<FailureResult> {
    const result = await scope.transaction((tx) => this.recordFailure(tx, attempt));
    if (countsForWebhook(attempt)) attemptsMade.inc({ outcome: 'failure' });
    if (result === 'disabled') this.reportDisabled(attempt);
    return result;
  }

  private async recordFailure(tx: WorkspaceScope, attempt: CompletedAttempt): Promise<FailureResult> {
    const { delivery, result } = attempt;
    const before = await lockWebhook(tx, delivery.webhook_id);
    if (!before) return 'skipped'; // Deleting the webhook has deleted the delivery.
    if (!countsForWebhook(attempt)) {
      await recordFailed(tx, attempt, undefined);
      return 'failed';
    }
    const retryIn = retryDelay(this.schedules, { ...result, failures: delivery.attempt }, Math.random);
    if (!(await recordFailed(tx, attempt, retryIn))) return 'skipped';
    const failures = before.failure_count + 1;
    const isActive = before.is_active && failures < FAILURES_TO_DISABLE;
    const pause = isActive ? openDelay(this.schedules, { ...result, failures }, Math.random) : 0;
    await updateHealth(tx, delivery.webhook_id, { failure_count: failures, is_active: isActive }, pause);
    if (before.is_active && !isActive) {
      await this.events.publish(tx, 'webhook.disabled', { webhook_id: delivery.webhook_id });
      return 'disabled';
    }
    return pause > 0 ? 'paused' : 'failed';
  }

  private reportDisabled({ delivery, result }: CompletedAttempt): void {
    webhooksDisabled.inc();
    this.log.warn('a webhook was disabled: ten attempts in a row have failed', {
      webhook_id: delivery.webhook_id,
      status_code: result.status_code,
    });
  }
}

const countsForWebhook = ({ delivery }: CompletedAttempt): boolean => delivery.event !== TEST_EVENT;
