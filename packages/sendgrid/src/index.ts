export { isSignedRequest, readEvent, type SendgridFailure, type SendgridReport, type SignedRequest } from './events.js';
export { sendThroughSendgrid } from './send-through-sendgrid.js';
export { type SendgridApi, SendgridKeyRefused, SendgridUnavailable } from './sendgrid-api.js';
export { verifySendgridKey } from './verify-key.js';
export { isWebhookKey } from './webhook-signature.js';
