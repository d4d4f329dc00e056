import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DecryptionFailed, generateKey } from '@outreach/keyring';
import { type EncryptedColumn, Keyring } from '../crypto/index.js';
import { Database, type Sql, sql } from '../database/index.js';
import { OperatorError } from '../errors/index.js';
import { HmacKey } from './hmac-sql.js';

const CONTEXT = 'contact_refusals:hash_key';

/** The encrypted column of the key of hashes. */
export const ENCRYPTED_HASH_KEY: EncryptedColumn = {
  table: 'refusal_key',
  column: 'key_encrypted',
  primary_key: ['id'],
  meaning: 'keys of the hashes of addresses',
  contextOf: () => CONTEXT,
};

/**
 * The stored key cannot be decrypted, so the addresses of the hashes would not be recognised. Credentials and secrets
 * were probably encrypted with the same key: messages and deliveries would fail one after the other.
 */
export class HashKeyLost extends OperatorError {
  constructor(id: string | undefined) {
    super(
      `No configured key has the ID ${id ?? 'of the key that is needed'}: with that key credentials of email accounts, secrets ` +
        'of webhooks and the hashes of unsubscribed addresses are encrypted. Add it at the end of ENCRYPTION_KEY. ' +
        'docs/maintenance.md ("If the key is lost") says what to do if it is lost.',
    );
  }
}

/**
 * Injects SQL of whether there are hashes, or records with credentials or secrets: they need the keys with which they were
 * made. The composition root provides it, because it knows the modules that store them.
 */
export const KEY_IS_NEEDED = Symbol('KEY_IS_NEEDED');

/** The key of the hashes of all workspaces, which the first process generates. */
@Injectable()
export class HashKeyStore implements OnModuleInit {
  private key: HmacKey | undefined;

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    @Inject(KEY_IS_NEEDED) private readonly isNeeded: Sql,
  ) {}

  /** @throws HashKeyLost */
  async onModuleInit(): Promise<void> {
    this.key = new HmacKey(Buffer.from(await this.load(), 'base64'));
  }

  get(): HmacKey {
    if (!this.key) throw new Error('The key is loaded when the modules are initialized.');
    return this.key;
  }

  /** Also encrypts the key with the first key of the keyring, so that older ones can be removed. */
  private load(): Promise<string> {
    return this.database.transaction(async (tx) => {
      await tx.execute(
        sql`INSERT INTO refusal_key (id, key_encrypted) VALUES (1, ${this.keyring.encrypt(generateKey(), CONTEXT)})
            ON CONFLICT (id) DO NOTHING`,
      );
      const [stored] = await tx.query<{ key_encrypted: string }>(sql`SELECT key_encrypted FROM refusal_key FOR UPDATE`);
      if (!stored) throw new Error('The key was not stored.');
      const key = (await this.decrypted(tx, stored.key_encrypted)) ?? generateKey();
      await tx.execute(sql`UPDATE refusal_key SET key_encrypted = ${this.keyring.encrypt(key, CONTEXT)}`);
      return key;
    });
  }

  /** @returns undefined if the key is lost, and {@link KEY_IS_NEEDED} does not hold @throws HashKeyLost */
  private async decrypted(tx: Database, encrypted: string): Promise<string | undefined> {
    try {
      return this.keyring.decrypt(encrypted, CONTEXT);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      const [row] = await tx.query<{ is_needed: boolean }>(sql`SELECT ${this.isNeeded} AS is_needed`);
      if (row?.is_needed) throw new HashKeyLost(Keyring.idOf(encrypted));
      return undefined;
    }
  }
}
