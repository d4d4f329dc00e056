import { is, view } from '@outreach/http-api/responses';

/** API v1, "Webhook delivery log". A long payload is shown without its data and with `truncated`. */
export const logView = view('WebhookLog', {
  id: is.id,
  /** The name of the event. */
  event: is.string,
  /** The body that was sent. A very long one is shown without its `data`, with `truncated`. */
  payload: is.object,
  /** The HTTP status of the receiver; 0 if it was not reached. */
  status_code: { type: 'integer', minimum: 0 },
  /** The first 2,000 characters of the response, or the reason why there is none. */
  response: is.string,
  /** Whether the receiver responded with a 2xx status. */
  success: is.boolean,
  created_at: is.timestamp,
  /** The header `X-Service-Delivery`, the same for all attempts of one delivery. */
  delivery_id: { type: 'string', format: 'uuid' },
  /** The number of the attempt, from 1. */
  attempt: { type: 'integer', minimum: 1 },
});

/** The ID of the new delivery, for receivers and in logs. */
export const redelivery = is.shape('Redelivery', {
  /** The header `X-Service-Delivery` of the new delivery. */
  delivery_id: { type: 'string', format: 'uuid' },
});

export const redeliveriesView = view('Redeliveries', {
  /** How many deliveries are sent again. */
  count: is.integer,
});
