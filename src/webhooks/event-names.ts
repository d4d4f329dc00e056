import { loadedExtensions } from '../platform/extensions/index.js';

/** The events that a webhook can receive. The section Events shows each with an example. */
const SERVICE_EVENTS = [
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
  'email_account.mail_skipped',
  'webhook.disabled',
] as const;
/** The name of an event. */
export type EventName = (typeof SERVICE_EVENTS)[number];

/** The events of the service, then those of the extension modules. */
export const EVENT_NAMES: readonly string[] = [
  ...SERVICE_EVENTS,
  ...loadedExtensions().flatMap((extension) => extension.events),
];

/** Sent by test deliveries only. No webhook can subscribe to it. */
export const TEST_EVENT = 'webhook.test';
