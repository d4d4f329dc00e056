export { verifySendgridKey } from './verify-key.js';
export { sendThroughSendgrid } from './send-through-sendgrid.js';
export { type SendgridApi, SendgridKeyRefused, SendgridUnavailable } from './sendgrid-api.js';
export { isSignedByAny, isWebhookKey, MAX_WEBHOOK_KEYS, type SignedEvents } from './webhook-signature.js';
