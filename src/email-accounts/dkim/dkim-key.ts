import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** RFC 8301, 3.2: signatures with shorter keys are not valid, and receivers need not verify those with longer ones. */
export const MIN_RSA_BITS = 1_024;
export const MAX_RSA_BITS = 4_096;

/** With what the messages of an account are signed. For transports only: never stored, shown or logged. */
export interface DkimCredentials {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly private_key: string;
}

const PEM = /^-----BEGIN (RSA )?PRIVATE KEY-----\s[\s\S]+-----END (RSA )?PRIVATE KEY-----\s*$/;

/**
 * Returns whether messages can be signed with a private key: Ed25519, or RSA of a length that receivers verify, in PEM
 * (PKCS#8 or PKCS#1) without a passphrase.
 */
export function isDkimKey(pem: string): boolean {
  const key = PEM.test(pem) ? readKey(pem) : undefined;
  if (key?.asymmetricKeyType !== 'rsa') return key?.asymmetricKeyType === 'ed25519';
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS && isUsable(key);
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The numbers of an RSA key may contradict one another. */
function isUsable(key: KeyObject): boolean {
  const data = Buffer.from('DKIM');
  try {
    return verify('sha256', data, createPublicKey(key), sign('sha256', data, key));
  } catch {
    return false;
  }
}
