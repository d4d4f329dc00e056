import { createHmac } from 'node:crypto';
import { keyOf } from './signing-secret.js';

/** One attempt at a delivery. */
export interface AttemptRequest {
  readonly url: string;
  /** The decrypted signing secret of the webhook. */
  readonly secret: string;
  readonly event: string;
  /** The JSON text, exactly as it is signed and sent. */
  readonly body: string;
  /** A UUID, the same in all attempts of a delivery. */
  readonly delivery_id: string;
  /** The first is 1. */
  readonly attempt: number;
}

const USER_AGENT = 'Outreach-Webhooks/1';

/**
 * Returns the headers of an attempt, including those of Standard Webhooks 1.0.
 * @param timestamp Unix seconds
 */
export function signedHeaders(request: AttemptRequest, timestamp: number): Record<string, string> {
  const { secret, event, body, delivery_id: id, attempt } = request;
  const standard = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-event': event,
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-service-delivery': id,
    'x-service-timestamp': String(timestamp),
    'x-service-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  };
}
