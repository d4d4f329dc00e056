import { Counter } from 'prom-client';

/** Attempts to deliver, without tests. */
export const attemptsMade = new Counter({
  name: 'outreach_webhook_attempts_total',
  help: 'Attempts to deliver events to webhooks',
  labelNames: ['outcome'] as const,
});

export const webhooksDisabled = new Counter({
  name: 'outreach_webhooks_disabled_total',
  help: 'Webhooks made inactive after ten failed attempts in a row',
});
