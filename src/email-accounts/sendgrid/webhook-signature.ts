import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Events as they came, with what SendGrid's headers say of them. */
export interface SignedEvents {
  /** ECDSA with SHA-256 over the timestamp and the body: DER in base64. */
  readonly signature: string;
  readonly timestamp: string;
  readonly body: Buffer;
}

/** Whether a text is the kind of key that SendGrid shows as "Verification Key": P-256, as DER in base64. */
export const isWebhookKey = (text: string): boolean => publicKey(text) !== undefined;

/** Whether events are signed for this key (SendGrid, "Signed Event Webhook"). Never throws. */
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
