import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The raw body of events, with the signature headers of SendGrid. */
export interface SignedEvents {
  /** ECDSA with SHA-256 over the timestamp and the body: DER in base64. */
  readonly signature: string;
  readonly timestamp: string;
  readonly body: Buffer;
}

/** Returns whether a string is a "Verification Key" of SendGrid: a P-256 public key, as DER in base64. */
export const isWebhookKey = (text: string): boolean => publicKey(text) !== undefined;

/** Returns whether the signature of events is valid for a key (SendGrid, "Signed Event Webhook"). Never throws. */
export function isSignedBy(key: string, { signature, timestamp, body }: SignedEvents): boolean {
  const known = publicKey(key);
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return known !== undefined && verify('sha256', signed, known, Buffer.from(signature, 'base64'));
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
