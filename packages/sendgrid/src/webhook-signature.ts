import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { DER, derSequence, type DerValue, fromBase64 } from '@outreach/der';

/** How many keys are tried for one request. */
export const MAX_TRIED_KEYS = 10;

/** The raw body of events, with the signature headers of SendGrid. */
export interface SignedEvents {
  /** ECDSA with SHA-256 over the timestamp and the body: DER in base64. */
  readonly signature: string;
  readonly timestamp: string;
  readonly body: Buffer;
}

/** Returns whether a string is a "Verification Key" of SendGrid: a P-256 public key, as DER in base64. */
export const isWebhookKey = (text: string): boolean => publicKey(text) !== undefined;

/**
 * Returns whether the signature of events is valid for one of some keys, of which the first {@link MAX_TRIED_KEYS} are
 * tried. Those of them that have verified events before come first, because each one hashes the body. Threads compute.
 */
export async function isSignedByAny(
  keys: readonly string[],
  { signature, timestamp, body }: SignedEvents,
): Promise<boolean> {
  const bytes = Buffer.from(signature, 'base64');
  // What cannot be a signature costs nothing.
  if (!isSignatureForm(bytes)) return false;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  const tried = keys.slice(0, MAX_TRIED_KEYS);
  for (const text of tried.sort((one, other) => Number(used.has(other)) - Number(used.has(one)))) {
    const key = cachedKey(text);
    if (!key || !(await verifyInThread('sha256', signed, key, bytes))) continue;
    used.set(text, true);
    return true;
  }
  return false;
}

const verifyInThread = promisify(verify);

const MAX_CACHED_KEYS = 1_000;
/** Reading a key takes as long as verifying a signature with it. */
const cached = new LRUCache<string, KeyObject>({ max: MAX_CACHED_KEYS });
/** The keys that have verified events. */
const used = new LRUCache<string, true>({ max: MAX_CACHED_KEYS });

function cachedKey(text: string): KeyObject | undefined {
  const key = cached.get(text) ?? publicKey(text);
  if (key) cached.set(text, key);
  return key;
}

const MAX_NUMBER_BYTES = 33;

/** Two numbers of at most 256 bits, with a leading zero (RFC 3279, 2.2.3). */
function isSignatureForm(bytes: Buffer): boolean {
  const numbers = derSequence(bytes) ?? [];
  const isNumber = ({ tag, content }: DerValue) => tag === DER.integer && content.length <= MAX_NUMBER_BYTES;
  return numbers.length === 2 && numbers.every(isNumber);
}

/** What comes before the point of a P-256 key in DER (RFC 5480, 2), compressed or not: reading other keys may take long. */
const PREFIXES = [
  '3059301306072a8648ce3d020106082a8648ce3d030107034200',
  '3039301306072a8648ce3d020106082a8648ce3d030107032200',
];

function publicKey(text: string): KeyObject | undefined {
  const key = fromBase64(text);
  if (!key || !PREFIXES.some((prefix) => key.toString('hex').startsWith(prefix))) return undefined;
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
