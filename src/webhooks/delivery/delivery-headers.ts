/** What the headers of a delivery hold, for the reference (API v1, "Events"). Beside them: `Content-Type`, `User-Agent`. */
export const DELIVERY_HEADERS = {
  'X-Service-Event': "The event's name, as in the body.",
  'X-Service-Signature':
    "HMAC-SHA256 of the body's bytes in lower-case hexadecimal; the key is the webhook's secret as it was shown, `whsec_` included.",
  'X-Service-Delivery': 'A UUID, the same in all attempts of a delivery.',
  'X-Service-Timestamp': 'When this attempt was made, in Unix seconds.',
  'X-Service-Attempt': 'The first attempt is 1.',
  'webhook-id': 'The same UUID, for libraries of Standard Webhooks.',
  'webhook-timestamp': 'The same instant, for libraries of Standard Webhooks.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; the key is what the base64 after `whsec_` stands for.',
};
