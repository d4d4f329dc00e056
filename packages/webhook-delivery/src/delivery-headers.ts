/**
 * Descriptions of the headers of a delivery for the API reference, without `Content-Type` and `User-Agent`.
 */
export const DELIVERY_HEADERS = {
  'X-Service-Event': 'The name of the event, as in the body.',
  'X-Service-Signature':
    'HMAC-SHA256 of the bytes of the body, in lower-case hexadecimal. The key is the whole secret as a string, including `whsec_`.',
  'X-Service-Delivery': 'A UUID, the same in all attempts of a delivery.',
  'X-Service-Timestamp': 'The time of this attempt, in Unix seconds.',
  'X-Service-Attempt': 'The number of this attempt. The first is 1.',
  'webhook-id': 'The same UUID, for libraries of Standard Webhooks.',
  'webhook-timestamp': 'The same time, for libraries of Standard Webhooks.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. The key is the secret without `whsec_`, decoded from base64.',
};
