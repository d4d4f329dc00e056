import { Counter } from 'prom-client';

/** Attempts of this process. Test deliveries are not counted. */
export const attemptsMade = new Counter({
  name: 'outreach_webhook_attempts_total',
  help: 'Attempts to deliver events to webhooks',
  labelNames: ['outcome'] as const,
});

/** Webhooks that this process has made inactive. */
export const webhooksDisabled = new Counter({
  name: 'outreach_webhooks_disabled_total',
  help: 'Webhooks made inactive after ten failed attempts in a row',
});
