import { Counter } from 'prom-client';

/** Attempts of this process. Test deliveries are not counted. */
export const attemptsMade = new Counter({
  name: 'outreach_webhook_attempts_total',
  help: 'Attempts of this process to deliver events to webhooks, without test deliveries: `success` or `failure`',
  labelNames: ['outcome'] as const,
});
for (const outcome of ['success', 'failure']) attemptsMade.inc({ outcome }, 0);

/** Webhooks that this process has made inactive. */
export const webhooksDisabled = new Counter({
  name: 'outreach_webhooks_disabled_total',
  help: 'Webhooks that this process has made inactive after ten failed attempts in a row',
});
