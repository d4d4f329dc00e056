// Says whether a webhook comes from the service. Node alone, no dependencies.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * True for a delivery that was signed with the secret, not longer ago than five minutes.
 * @param {string} secret as it was shown: whsec_…
 * @param {Buffer} body the bytes as they came, before anything has parsed them
 * @param {Record<string, string>} headers with names in lower case, as in `request.headers`
 */
export function verify(secret, body, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isEqual(signature, `v1,${expected}`));
}

/** True for a body that was signed with the secret, whenever that was: nothing else is in X-Service-Signature. */
export function verifyBody(secret, body, headers) {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return isEqual(headers['x-service-signature'] ?? '', expected);
}

/** In constant time: how long it takes says nothing about how much is right. */
function isEqual(given, expected) {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
