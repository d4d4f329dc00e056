export {
  type FailedCallback,
  listFailedCallbacks,
  MAX_LISTED_CALLBACKS,
  retryFailedCallbacks,
} from './events/failed-callbacks.cross-tenant.js';
export { ProviderCallback } from './events/provider-callback.entity.js';
export { InboundModule, InboundWorkerModule } from './inbound.module.js';
export { type MailOrigin } from './mail/mail-origin.js';
export { ReceivedMails } from './mail/received-mails.js';
export type { SimulatedEvent } from '../email-accounts/index.js';
export { ProviderEventsService } from './events/provider-events.service.js';
export { MAILBOX_READING } from './mailboxes/queues.js';
