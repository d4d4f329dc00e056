import { Inject, Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { CONFIG } from '../../platform/config/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import '../webhook.events.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import { lockWebhook } from '../webhooks.queries.js';
import { type CompletedAttempt, recordDelivered, recordFailed, updateHealth } from './delivery-results.queries.js';
import { attemptsMade, webhooksDisabled } from './metrics.js';
import { countsForWebhook, failureEffect, type FailureEffect } from './failure-effect.js';
import type { RetrySchedules } from '@outreach/webhook-delivery';

/** What a failed attempt means for its webhook. `skipped`: the attempt was recorded before, or the webhook was deleted. */
export type FailureResult = FailureEffect['kind'] | 'skipped';

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

  /** {@link failureEffect} decides what it changes. An attempt that is recorded twice counts once. */
  async failed(scope: WorkspaceScope, attempt: CompletedAttempt): Promise<FailureResult> {
    const result = await scope.transaction((tx) => this.recordFailure(tx, attempt));
    if (countsForWebhook(attempt)) attemptsMade.inc({ outcome: 'failure' });
    if (result === 'disabled') this.reportDisabled(attempt);
    return result;
  }

  private async recordFailure(tx: WorkspaceScope, attempt: CompletedAttempt): Promise<FailureResult> {
    const { webhook_id: webhookId } = attempt.delivery;
    const before = await lockWebhook(tx, webhookId);
    if (!before) return 'skipped'; // Deleting the webhook has deleted the delivery.
    const effect = failureEffect(this.schedules, before, attempt, Math.random);
    if (!(await recordFailed(tx, attempt, effect.retry_in))) return 'skipped';
    if (effect.health) await updateHealth(tx, webhookId, effect.health);
    if (effect.kind === 'disabled') await this.events.publish(tx, 'webhook.disabled', { webhook_id: webhookId });
    return effect.kind;
  }

  private reportDisabled({ delivery, result }: CompletedAttempt): void {
    webhooksDisabled.inc();
    this.log.warn('a webhook was disabled: ten attempts in a row have failed', {
      webhook_id: delivery.webhook_id,
      status_code: result.status_code,
    });
  }
}
