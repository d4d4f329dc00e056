import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { fromBase64url } from './base64.js';
import { isUsableKey } from './key-text.js';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const DERIVED_BYTES = 32;
const KEY_ID_BYTES = 6;
const IV_BYTES = 12; // the recommended length for GCM, NIST SP 800-38D
const TAG_BYTES = 16;

/** A text cannot be decrypted: it or its context was changed, or its key is no longer in the keyring. */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';

  constructor(options?: ErrorOptions) {
    super(
      'A stored secret cannot be decrypted: it was changed, or ENCRYPTION_KEY lacks the key that encrypted it',
      options,
    );
  }
}

type AtLeastOne<T> = readonly [T, ...T[]];

interface EncryptionKey {
  id: string;
  key: KeyObject;
}

/**
 * The configured keys (`ENCRYPTION_KEY`, API v1): the first one encrypts, all of them decrypt, so that keys can be
 * rotated. Configured keys are not used directly, only keys derived from them by HKDF-SHA256 (RFC 5869), one for each
 * use. The constructor throws a RangeError if there is no key, or if one is too short (`isUsableKey`).
 */
export class Keyring {
  readonly #keys: AtLeastOne<string>;
  readonly #first: EncryptionKey;
  readonly #byId: ReadonlyMap<string, KeyObject>;

  constructor(keys: readonly string[]) {
    const [first, ...older] = keys;
    if (first === undefined || !keys.every(isUsableKey)) {
      throw new RangeError('A keyring needs at least one key, and each key at least 16 characters');
    }
    this.#keys = [first, ...older];
    this.#first = encryptionKey(first);
    this.#byId = new Map(keys.map(encryptionKey).map(({ id, key }) => [id, key]));
  }

  /**
   * Encrypts a text with AES-256-GCM and returns `v1.<key id>.<base64url of IV, ciphertext, tag>`, different at each
   * call.
   * @param context what the text is and whose, e.g. `email_account:smtp_password:<workspace_id>`; it is authenticated
   *   but not stored, and `decrypt` needs the same one
   */
  encrypt(plaintext: string, context: string): string {
    const header = `${VERSION}.${this.#first.id}`;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#first.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(header, context));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return `${header}.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /**
   * Decrypts a text that was encrypted in this context.
   * @throws DecryptionFailed if the text or the context was changed, or the keyring lacks its key
   */
  decrypt(encrypted: string, context: string): string {
    const [version, id = '', body = '', ...rest] = encrypted.split('.');
    const key = this.#byId.get(id);
    const bytes = fromBase64url(body);
    const wellFormed = version === VERSION && rest.length === 0 && bytes && bytes.length >= IV_BYTES + TAG_BYTES;
    if (!wellFormed || !key) throw new DecryptionFailed();
    return decryptBytes(bytes, key, associatedData(`${version}.${id}`, context));
  }

  /** The IDs of the keys, in their order. An ID tells nothing about its key. */
  get ids(): AtLeastOne<string> {
    const [, ...older] = this.#keys;
    return [this.#first.id, ...older.map((key) => encryptionKey(key).id)];
  }

  /** Returns the ID of the key that encrypted a text, undefined for any other text. */
  static idOf(encrypted: string): string | undefined {
    const [version, id, body] = encrypted.split('.', 3);
    return version === VERSION && body !== undefined ? id : undefined;
  }

  /** Returns what every text begins with that the key with this ID encrypted. */
  static prefixOf(id: string): string {
    return `${VERSION}.${id}.`;
  }

  /** Returns keys of 32 bytes for another use, one for each configured key and in their order. */
  derive(use: string): AtLeastOne<KeyObject> {
    const [first, ...older] = this.#keys;
    return [derivedKey(first, use), ...older.map((key) => derivedKey(key, use))];
  }
}

function decryptBytes(bytes: Buffer, key: KeyObject, data: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(data).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plaintext = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new DecryptionFailed({ cause });
  }
}

/** The header contains exactly one dot, so different pairs of header and context give different data. */
function associatedData(header: string, context: string): Buffer {
  return Buffer.from(`${header}.${context}`, 'utf8');
}

/** The labels are part of the format: with others, stored secrets could not be decrypted. */
function encryptionKey(key: string): EncryptionKey {
  const fingerprint = derivedKey(key, 'fingerprint').export().subarray(0, KEY_ID_BYTES);
  return { id: fingerprint.toString('base64url'), key: derivedKey(key, 'seal') };
}

function derivedKey(key: string, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `outreach/v1/${use}`, DERIVED_BYTES)));
}
