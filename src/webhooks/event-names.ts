/** What a webhook can subscribe to (API v1, "Events"); `webhook.disabled` is an addition. */
export const EVENT_NAMES = [
  'campaign.completed',
  'campaign.paused',
  'campaign.started',
  'contact.created',
  'contact.deleted',
  'contact.updated',
  'email.bounced',
  'email.clicked',
  'email.complained',
  'email.delivered',
  'email.opened',
  'email.sent',
  'email.unsubscribed',
  'webhook.disabled',
] as const;

/** Sent by the test endpoint only; nothing can subscribe to it. */
export const TEST_EVENT = 'webhook.test';
