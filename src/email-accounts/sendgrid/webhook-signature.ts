import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The raw body of events, with the signature headers of SendGrid. */
export interface SignedEvents {
  /** ECDSA with SHA-256 over the timestamp and the body: DER in base64. */
  readonly signature: string;
  readonly timestamp: string;
  readonly body: Buffer;
}

/** Returns whether a string is a "Verification Key" of SendGrid: a P-256 public key, as DER in base64. */
export const isWebhookKey = (text: string): boolean => publicKey(text) !== undefined;

/** Returns whether the signature of events is valid for one of some keys. Never throws. */
export const isSignedByAny = (keys: readonly string[], events: SignedEvents): boolean =>
  keys.some((key) => isSignedBy(key, events));

/** Returns whether the signature of events is valid for a key (SendGrid, "Signed Event Webhook"). Never throws. */
export function isSignedBy(key: string, { signature, timestamp, body }: SignedEvents): boolean {
  const known = cachedKey(key);
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return known !== undefined && verify('sha256', signed, known, Buffer.from(signature, 'base64'));
}

/** Reading a key takes as long as verifying a signature with it. */
const keys = new LRUCache<string, KeyObject>({ max: 1_000 });

function cachedKey(text: string): KeyObject | undefined {
  const known = keys.get(text) ?? publicKey(text);
  if (known) keys.set(text, known);
  return known;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function publicKey(text: string): KeyObject | undefined {
  if (!BASE64.test(text)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}
