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

  /** @param setting where the keys come from */
  constructor(setting: string, options?: ErrorOptions) {
    super(
      `A stored secret cannot be decrypted: it was changed, or ${setting} lacks the key that encrypted it`,
      options,
    );
  }
}

type AtLeastOne<T> = readonly [T, ...T[]];

interface EncryptionKey {
  id: string;
  key: KeyObject;
}

/** What belongs to the service that uses a keyring. */
export interface KeyringLabels {
  /** A part of every derived key, e.g. `shop/v1`. It is part of the format: with another, secrets could not be decrypted. */
  readonly label: string;
  /** The setting with the keys, for messages. */
  readonly setting: string;
}

/**
 * Configured keys: the first one encrypts, all of them decrypt, so that keys can be rotated. Configured keys are not used
 * directly, only keys derived from them by HKDF-SHA256 (RFC 5869), one for each use. The constructor throws a RangeError if
 * there is no key, or if one is too short (`isUsableKey`).
 */
export class LabelledKeyring {
  readonly #keys: AtLeastOne<string>;
  readonly #first: EncryptionKey;
  readonly #byId: ReadonlyMap<string, KeyObject>;

  readonly #labels: KeyringLabels;

  constructor(keys: readonly string[], labels: KeyringLabels) {
    const [first, ...older] = keys;
    if (first === undefined || !keys.every(isUsableKey)) {
      throw new RangeError('A keyring needs at least one key, and each key at least 16 characters');
    }
    this.#keys = [first, ...older];
    this.#labels = labels;
    this.#first = this.encryptionKey(first);
    this.#byId = new Map(keys.map((key) => this.encryptionKey(key)).map(({ id, key }) => [id, key]));
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
    if (!wellFormed || !key) throw new DecryptionFailed(this.#labels.setting);
    try {
      return decryptBytes(bytes, key, associatedData(`${version}.${id}`, context));
    } catch (cause) {
      throw new DecryptionFailed(this.#labels.setting, { cause });
    }
  }

  /** The IDs of the keys, in their order. An ID tells nothing about its key. */
  get ids(): AtLeastOne<string> {
    const [, ...older] = this.#keys;
    return [this.#first.id, ...older.map((key) => this.encryptionKey(key).id)];
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
    return [this.derivedKey(first, use), ...older.map((key) => this.derivedKey(key, use))];
  }

  /** The uses are part of the format, too. */
  private encryptionKey(key: string): EncryptionKey {
    const fingerprint = this.derivedKey(key, 'fingerprint').export().subarray(0, KEY_ID_BYTES);
    return { id: fingerprint.toString('base64url'), key: this.derivedKey(key, 'seal') };
  }

  private derivedKey(key: string, use: string): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `${this.#labels.label}/${use}`, DERIVED_BYTES)));
  }
}

function decryptBytes(bytes: Buffer, key: KeyObject, data: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(data).setAuthTag(bytes.subarray(-TAG_BYTES));
  const plaintext = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
}

/** The header contains exactly one dot, so different pairs of header and context give different data. */
function associatedData(header: string, context: string): Buffer {
  return Buffer.from(`${header}.${context}`, 'utf8');
}
