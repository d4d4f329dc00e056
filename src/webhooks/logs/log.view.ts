import { is, timestamp, view } from '../../platform/http/index.js';
import type { ListedLog } from './logs.queries.js';

/** API v1, "Webhook delivery log". A long payload is shown without its data and with `truncated`. */
export const logView = view(
  'WebhookLog',
  {
    id: is.id,
    event: is.string,
    payload: is.object,
    status_code: { type: 'integer', description: '0 means that the endpoint was not reached' },
    response: {
      type: 'string',
      description: 'The beginning of the response body, or the reason why there is no response',
    },
    success: is.boolean,
    created_at: is.timestamp,
    delivery_id: { type: 'string', format: 'uuid' },
    attempt: { type: 'integer', minimum: 1 },
  },
  (log: ListedLog) => ({
    id: log.id,
    event: log.event,
    payload: log.payload,
    status_code: log.status_code,
    response: log.response,
    success: log.success,
    created_at: timestamp(log.created_at),
    delivery_id: log.delivery_id,
    attempt: log.attempt,
  }),
);

/** The ID of the new delivery, for receivers and in logs. */
export const redelivery = is.shape('Redelivery', { delivery_id: { type: 'string', format: 'uuid' } });
