export {
  type FailedCallback,
  listFailedCallbacks,
  MAX_LISTED_CALLBACKS,
  retryFailedCallbacks,
} from './sendgrid/failed-callbacks.cross-tenant.js';
export { ProviderCallback } from './sendgrid/provider-callback.entity.js';
export { InboundModule, InboundWorkerModule } from './inbound.module.js';
export { type MailOrigin } from './mail/mail-origin.js';
export { ReceivedMails } from './mail/received-mails.js';
export { SendgridEventsService } from './sendgrid/sendgrid-events.service.js';
export { MAILBOX_READING } from './mailboxes/queues.js';
