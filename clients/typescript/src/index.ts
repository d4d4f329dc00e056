import type { Schemas } from './types.js';

export { createClient, type OutreachClient, type OutreachClientOptions } from './client.js';
export { ApiError, unwrap } from './errors.js';
export type { EventFeedOptions } from './event-feed.js';
export type { ImportMapping, ImportOptions } from './imports.js';
export { API_VERSION, type components, type operations, type paths } from './schema.js';
export type {
  ApiPaths,
  ErrorReason,
  EventName,
  FeedEvent,
  ListItem,
  ListOptions,
  ListPath,
  Page,
  Schemas,
  WebhookEvent,
} from './types.js';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookRequest,
  WebhookVerificationError,
} from './webhooks.js';

export type Campaign = Schemas['Campaign'];
export type Company = Schemas['Company'];
export type Contact = Schemas['Contact'];
export type EmailAccount = Schemas['EmailAccount'];
export type Enrollment = Schemas['Enrollment'];
export type Message = Schemas['Message'];
export type Reply = Schemas['Reply'];
export type Segment = Schemas['Segment'];
export type Step = Schemas['Step'];
export type Template = Schemas['Template'];
export type Webhook = Schemas['Webhook'];
