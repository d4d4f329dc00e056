export { isSignedByAny, isWebhookKey, MAX_WEBHOOK_KEYS, type SignedEvents } from './webhook-signature.js';
