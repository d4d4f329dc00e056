import { TEST_EVENT } from '../event-names.js';
import type { LockedWebhook } from '../webhooks.queries.js';
import type { CompletedAttempt, WebhookHealth } from './delivery-results.queries.js';
import {
  FAILURES_TO_DISABLE,
  openDelay,
  type Random,
  retryDelay,
  type RetrySchedules,
} from '@outreach/webhook-delivery';

/** What a failed attempt changes. */
export interface FailureEffect {
  /**
   * `failed`: deliveries continue immediately. `paused`: the circuit is open. `disabled`: the webhook was made inactive.
   * `superseded`: the webhook has another URL or secret by now, with which they continue immediately.
   */
  readonly kind: 'failed' | 'paused' | 'disabled' | 'superseded';
  /** Seconds until the next attempt at the delivery; undefined after the last one. */
  readonly retry_in?: number | undefined;
  /** Undefined if the webhook stays as it is. */
  readonly health?: WebhookHealth;
}

/** A redelivered test changes nothing but the log. */
export const countsForWebhook = ({ delivery }: CompletedAttempt): boolean => delivery.event !== TEST_EVENT;

/**
 * Decides what a failed attempt changes (API v1, "Webhook activity").
 *
 * | the attempt                       | the webhook                                        | the delivery                            |
 * | --------------------------------- | -------------------------------------------------- | --------------------------------------- |
 * | a redelivered test                | stays as it is                                     | ends                                    |
 * | with a former URL or secret       | stays as it is                                     | is attempted at once, ends as scheduled |
 * | any other, up to the ninth in row | counts a failure, and pauses while it is active    | waits, ends as scheduled                |
 * | any other, from the tenth in row  | counts a failure, is inactive                      | waits, ends as scheduled                |
 *
 * An attempt with a former URL or secret says nothing about the present one, but it counts for its delivery, which never has
 * more attempts than the schedule.
 * @param webhook as it is when the attempt is recorded
 */
export function failureEffect(
  schedules: RetrySchedules,
  webhook: Pick<LockedWebhook, 'target_digest' | 'is_active' | 'failure_count'>,
  attempt: CompletedAttempt,
  random: Random,
): FailureEffect {
  const { delivery, result } = attempt;
  if (!countsForWebhook(attempt)) return { kind: 'failed' };
  const retryIn = retryDelay(schedules, { ...result, failures: delivery.attempt }, random);
  if (attempt.target_digest !== webhook.target_digest)
    return { kind: 'superseded', retry_in: retryIn === undefined ? undefined : 0 };
  const failures = webhook.failure_count + 1;
  const isActive = webhook.is_active && failures < FAILURES_TO_DISABLE;
  const pause = isActive ? openDelay(schedules, { ...result, failures }, random) : 0;
  const isDisabled = webhook.is_active && !isActive;
  return {
    kind: isDisabled ? 'disabled' : pause > 0 ? 'paused' : 'failed',
    retry_in: retryIn,
    health: { failure_count: failures, is_active: isActive, pause },
  };
}
