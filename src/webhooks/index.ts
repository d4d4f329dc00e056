export { WebhookLogCount } from './logs/webhook-log-count.entity.js';
export { WebhookLog } from './logs/webhook-log.entity.js';
export { WebhookDelivery } from './webhook-delivery.entity.js';
export { WebhookEvent } from './webhook-event.entity.js';
export { Webhook } from './webhook.entity.js';
