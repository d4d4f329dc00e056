import type { WebhookEvent } from './types.js';

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** Headers of `fetch`, or an object with names in any case, like `request.headers` of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  /** The secret of the webhook, `whsec_…`; several while it is replaced, so that deliveries with either are accepted. */
  readonly secret: string | readonly string[];
  readonly headers: WebhookHeaders;
  /** The body as it was received, before any parsing. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** How old a delivery may be, and how far ahead its time: 300 seconds by default. */
  readonly toleranceSeconds?: number;
}

export type WebhookRefusal =
  'missing_header' | 'invalid_timestamp' | 'too_old' | 'too_new' | 'wrong_signature' | 'invalid_body';

/** A webhook request that is not authentic, or not readable. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: WebhookRefusal,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Checks the signature and the time of a webhook request (Standard Webhooks) and returns its body. The comparison takes
 * the same time for every wrong signature.
 * @throws WebhookVerificationError if the request was not signed with one of the secrets within the tolerance
 * @throws TypeError if a secret does not have the form `whsec_…`
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const secrets = typeof request.secret === 'string' ? [request.secret] : request.secret;
  const keys = secrets.map(keyOf);
  const id = headerOf(request.headers, 'webhook-id');
  const timestamp = headerOf(request.headers, 'webhook-timestamp');
  const signatures = headerOf(request.headers, 'webhook-signature');
  checkTime(timestamp, request.toleranceSeconds ?? TOLERANCE_SECONDS);
  const body = bytesOf(request.body);
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(keys, signatures, signed))) {
    throw new WebhookVerificationError('wrong_signature', 'No signature was made with the secret of the webhook.');
  }
  return parsed(body);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (!value) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
  return value;
}

function valueOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value.join(' ') : value;
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp is not a number of seconds.');
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  const reason = age > 0 ? 'too_old' : 'too_new';
  throw new WebhookVerificationError(
    reason,
    `The delivery was signed more than ${toleranceSeconds} seconds ${age > 0 ? 'ago' : 'ahead'}.`,
  );
}

async function isSigned(keys: readonly Bytes[], signatures: string, signed: Bytes): Promise<boolean> {
  const made = signatures.split(' ').map(signatureOf);
  let isValid = false;
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of made) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) isValid = true;
    }
  }
  return isValid;
}

/** Returns the bytes of a `v1` signature; undefined for other versions, which are ignored. */
function signatureOf(text: string): Bytes | undefined {
  return text.startsWith('v1,') ? decoded(text.slice('v1,'.length)) : undefined;
}

function keyOf(secret: string): Bytes {
  const key = secret.startsWith(PREFIX) ? decoded(secret.slice(PREFIX.length)) : undefined;
  if (!key || key.length === 0)
    throw new TypeError('The secret of a webhook has the form whsec_… and base64 after it.');
  return key;
}

type Bytes = Uint8Array<ArrayBuffer>;

function decoded(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOf(body: WebhookRequest['body']): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : Uint8Array.from(body);
}

function concatenated(first: Bytes, second: Bytes): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function parsed(body: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON in UTF-8.');
  }
}
