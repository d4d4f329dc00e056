import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { bitsOf, DER, derSequence, type DerValue, derValues, fromBase64, RSA_OID } from '@outreach/der';

/** RFC 8301, 3.2: signatures with shorter keys are not valid, and receivers need not verify those with longer ones. */
export const MIN_RSA_BITS = 1_024;
export const MAX_RSA_BITS = 4_096;
/** OpenSSL verifies no signature of a long key with a longer exponent. */
const MAX_EXPONENT_BITS = 64;

/** How much longer than the half of the modulus a prime may be. */
const MAX_SURPLUS_BITS = 16;

/** What a key has to be: the end of an error message. */
export const DKIM_KEY_RULE =
  'must be a private key in PEM (PKCS#8 or PKCS#1) without a passphrase: Ed25519, or RSA with 1,024 to 4,096 bits';

/** With what messages are signed. It contains a secret. */
export interface DkimCredentials {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly private_key: string;
}

const PEM = /^-----BEGIN (RSA |)PRIVATE KEY-----\s([^-]+)-----END \1PRIVATE KEY-----\s*$/;

const ED25519 = Buffer.from('2b6570', 'hex');
const ED25519_BYTES = 32;

/**
 * Returns whether a text has the form of a key with which messages can be signed: Ed25519, or RSA of a length that receivers
 * verify, in PEM (PKCS#8 or PKCS#1) without a passphrase. Only its numbers are measured: computing with those of a key
 * that was made for that purpose, or reading a key of another type, takes seconds.
 */
export function isDkimKey(pem: string): boolean {
  const [, label, body = ''] = PEM.exec(pem) ?? [];
  const bytes = fromBase64(body.replace(/\s/g, ''));
  if (label === undefined || !bytes) return false;
  return label === '' ? isSupportedKey(bytes) : isMeasuredRsa(bytes);
}

const signInThread = promisify(sign);
const verifyInThread = promisify(verify);

/**
 * Returns whether messages can be signed with a key for which {@link isDkimKey} returns true. The numbers of an RSA key may
 * contradict one another, so it signs something; a thread computes.
 */
export async function canSign(pem: string): Promise<boolean> {
  const data = Buffer.from('DKIM');
  try {
    const key = createPrivateKey(pem);
    // Ed25519 has a digest of its own.
    const digest = key.asymmetricKeyType === 'rsa' ? 'sha256' : null;
    return await verifyInThread(digest, data, createPublicKey(key), await signInThread(digest, data, key));
  } catch {
    return false;
  }
}

/** PKCS#8 (RFC 5958, 2): the version, the algorithm, and the key in an OCTET STRING. */
function isSupportedKey(bytes: Buffer): boolean {
  const [version, algorithm, key] = derSequence(bytes) ?? [];
  if (version?.tag !== DER.integer || algorithm?.tag !== DER.sequence || key?.tag !== DER.octetString) return false;
  const [oid] = derValues(algorithm.content) ?? [];
  if (oid?.tag !== DER.oid) return false;
  if (oid.content.equals(RSA_OID)) return isMeasuredRsa(key.content);
  // RFC 8410, 7.
  const [seed] = derValues(key.content) ?? [];
  return oid.content.equals(ED25519) && seed?.tag === DER.octetString && seed.content.length === ED25519_BYTES;
}

/** PKCS#1 (RFC 8017, A.1.2). The primes, and what is calculated modulo these, have half the length of the modulus. */
function isMeasuredRsa(bytes: Buffer): boolean {
  const [, modulus = 0, exponent = Infinity, privateExponent = Infinity, ...others] = integersIn(
    derSequence(bytes) ?? [],
  );
  return (
    modulus >= MIN_RSA_BITS &&
    modulus <= MAX_RSA_BITS &&
    exponent <= MAX_EXPONENT_BITS &&
    privateExponent <= modulus &&
    others.every((bits) => bits <= modulus / 2 + MAX_SURPLUS_BITS)
  );
}

/** Returns the lengths in bits of the numbers of a key, those of further primes included. */
const integersIn = (values: readonly DerValue[]): number[] =>
  values.flatMap(({ tag, content }) => {
    if (tag === DER.integer) return [bitsOf(content)];
    return tag === DER.sequence ? integersIn(derValues(content) ?? []) : [];
  });
