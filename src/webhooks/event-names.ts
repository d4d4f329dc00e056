/** The events that a webhook can receive. The section Events shows each with an example. */
export const EVENT_NAMES = [
  'campaign.completed',
  'campaign.paused',
  'campaign.started',
  'contact.created',
  'contact.deleted',
  'contact.updated',
  'email.bot_activity',
  'email.bounced',
  'email.clicked',
  'email.complained',
  'email.delivered',
  'email.opened',
  'email.replied',
  'email.sent',
  'email.unsubscribed',
  'email_account.disabled',
  'webhook.disabled',
] as const;
/** The name of an event. */
export type EventName = (typeof EVENT_NAMES)[number];

/** Sent by test deliveries only. No webhook can subscribe to it. */
export const TEST_EVENT = 'webhook.test';
