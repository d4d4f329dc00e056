import { createPublicKey, type KeyObject } from 'node:crypto';
import { DER, derSequence, derValues, fromBase64, RSA_OID } from '@outreach/der';
import type { DnsQueries } from '@outreach/egress';
import { check, type CheckStatus, type DomainCheck, unanswered } from './domain-check.js';
import { tagsOf } from './tags.js';

/** Below it, receivers treat a signature as missing (RFC 8301, 3.2). */
const MIN_RSA_BITS = 1_024;
const GOOD_RSA_BITS = 2_048;
/** A longer text has an RSA key of more than 16,384 bits, with which no receiver verifies. */
const MAX_KEY_LENGTH = 4_096;
/** What comes before the 32 bytes of a key on the curve in DER (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Which public key has to be published. */
export interface ExpectedKey {
  readonly publicKey: KeyObject;
  /** What the texts call the private key that belongs to it, such as the name of a setting. */
  readonly privateKeyName: string;
}

/** Where the keys of a sender are. */
export interface DkimNames {
  /** Names such as `s1._domainkey.example.com`; none if the selector is not known. */
  readonly names: readonly string[];
  /** Without it, any key that can be used passes. */
  readonly expected?: ExpectedKey | undefined;
}

/**
 * Checks the public keys at the names (RFC 6376, 3.6.1). Of several names one must have a key: providers have two, and use
 * them in turns.
 */
export async function checkDkim(dns: DnsQueries, { names, expected }: DkimNames): Promise<DomainCheck> {
  if (names.length === 0) return check('unknown', [], 'The selector of the DKIM key is not known.');
  const checks = await Promise.all(names.map((name) => checkKey(dns, name, expected)));
  const found = checks.filter(({ record }) => record !== null);
  const worst = (status: CheckStatus, among: readonly DomainCheck[]) => among.find((each) => each.status === status);
  const chosen = worst('warn', found) ?? worst('pass', found) ?? worst('unknown', checks) ?? found[0] ?? checks[0];
  const records = found.map(({ record }) => record ?? '');
  return check(chosen?.status ?? 'unknown', records, chosen?.message ?? '');
}

async function checkKey(dns: DnsQueries, name: string, expected: ExpectedKey | undefined): Promise<DomainCheck> {
  const found = await dns.txt(name);
  if (found.kind === 'unavailable') return unanswered(name);
  const records = found.kind === 'found' ? found.records.filter(isKeyRecord) : [];
  const statuses = records.map((text) => keyStatus(tagsOf(text), name, expected));
  const chosen = statuses.find(({ status }) => status !== 'fail') ?? statuses[0];
  if (chosen === undefined) {
    const advice = expected
      ? `Publish the public key of ${expected.privateKeyName}.`
      : 'Publish the one of your provider.';
    return check('fail', [], `There is no DKIM key at ${name}. ${advice}`);
  }
  if (records.length > 1 && chosen.status !== 'fail')
    return check(
      'warn',
      records,
      `${name} has ${records.length} keys, of which receivers take any. Delete all but one.`,
    );
  return check(chosen.status, records, chosen.message);
}

/** Every tag but the key has a default, and names with other records, such as verifications, have no keys. */
const isKeyRecord = (text: string): boolean => tagsOf(text).has('p');

type KeyStatus = Pick<DomainCheck, 'status' | 'message'>;

function keyStatus(tags: ReadonlyMap<string, string>, name: string, expected: ExpectedKey | undefined): KeyStatus {
  const invalid = (reason: string): KeyStatus => ({ status: 'fail', message: `The DKIM key at ${name} ${reason}.` });
  const data = (tags.get('p') ?? '').replace(/\s/g, '');
  if (data === '') return invalid('is revoked');
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return invalid('has another version than DKIM1');
  if (!allows(tags.get('h'), 'sha256')) return invalid('does not allow SHA-256');
  if (!allows(tags.get('s'), 'email')) return invalid('is not for mail');
  const key = publicKey(tags.get('k') ?? 'rsa', data);
  if (!key) return invalid('cannot be read');
  const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : Infinity;
  if (bits < MIN_RSA_BITS) return invalid(`has ${bits} bits; receivers ignore it`);
  if (expected && !expected.publicKey.equals(key)) {
    const problem = `The key at ${name} does not belong to ${expected.privateKeyName}, so the signatures are not valid.`;
    return { status: 'fail', message: `${problem} Publish its public key.` };
  }
  if (bits < GOOD_RSA_BITS)
    return {
      status: 'warn',
      message: `The DKIM key at ${name} has ${bits} bits; use ${GOOD_RSA_BITS.toLocaleString('en')}.`,
    };
  const kind = bits === Infinity ? 'Ed25519' : `RSA, ${bits.toLocaleString('en')} bits`;
  return { status: 'pass', message: `There is a DKIM key at ${name} (${kind}).` };
}

/** Whether a list with colons has a value. Without the list everything is allowed. */
const allows = (list: string | undefined, value: string): boolean =>
  list === undefined ||
  list
    .toLowerCase()
    .split(':')
    .some((item) => item.trim() === value || item.trim() === '*');

/** @returns undefined if there is no such key */
function publicKey(type: string, data: string): KeyObject | undefined {
  const bytes = data.length <= MAX_KEY_LENGTH ? fromBase64(data) : undefined;
  if (!bytes) return undefined;
  switch (type.toLowerCase()) {
    case 'ed25519':
      return bytes.length === 32 ? readKey(Buffer.concat([ED25519_PREFIX, bytes]), 'spki') : undefined;
    case 'rsa':
      return rsaKey(bytes);
    default:
      return undefined;
  }
}

/** Reads an RSA key (RFC 8017, A.1.1), with its algorithm before it or not. Reading keys of other types may take long. */
function rsaKey(bytes: Buffer): KeyObject | undefined {
  const [first] = derSequence(bytes) ?? [];
  if (first?.tag === DER.integer) return readKey(bytes, 'pkcs1');
  const [oid] = (first?.tag === DER.sequence && derValues(first.content)) || [];
  return oid?.tag === DER.oid && oid.content.equals(RSA_OID) ? readKey(bytes, 'spki') : undefined;
}

function readKey(key: Buffer, type: 'spki' | 'pkcs1'): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'der', type });
  } catch {
    return undefined;
  }
}
