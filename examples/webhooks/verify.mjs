// Verifies that a webhook request comes from the service. No dependencies except Node.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * Returns true if the delivery was signed with the secret at most five minutes ago.
 * @param {string} secret as the API returned it: whsec_…
 * @param {Buffer} body the bytes as they were received, before any parsing
 * @param {Record<string, string>} headers with lower-case names, like `request.headers`
 */
export function verify(secret, body, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isEqual(signature, `v1,${expected}`));
}

/** Returns true if the body was signed with the secret at any time. X-Service-Signature covers nothing else. */
export function verifyBody(secret, body, headers) {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return isEqual(headers['x-service-signature'] ?? '', expected);
}

/** Compares in constant time, so that the duration does not reveal how much of a signature is correct. */
function isEqual(actual, expected) {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
