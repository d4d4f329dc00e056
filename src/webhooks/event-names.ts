/** The events to which a webhook can subscribe (API v1, "Events"). `webhook.disabled` is an addition. */
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

/** Sent by test deliveries only. No webhook can subscribe to it. */
export const TEST_EVENT = 'webhook.test';
