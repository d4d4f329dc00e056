import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DecryptionFailed, type EncryptedColumn, generateKey, Keyring } from '../../platform/crypto/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { OperatorError } from '../../platform/errors/index.js';
import { HmacKey } from './hmac-sql.js';

const CONTEXT = 'contact_refusals:hash_key';

/** The encrypted column of the key of hashes. */
export const ENCRYPTED_REFUSAL_KEY: EncryptedColumn = {
  table: 'refusal_key',
  column: 'key_encrypted',
  primary_key: ['id'],
  meaning: 'the key of the hashes of unsubscribed addresses',
  contextOf: () => CONTEXT,
};

/** The stored key cannot be decrypted, so unsubscribed addresses would not be recognised. */
export class RefusalKeyLost extends OperatorError {
  constructor() {
    super(
      'ENCRYPTION_KEY lacks the key with which the service remembers unsubscribed addresses of deleted contacts; ' +
        'restore it from a backup.',
    );
  }
}

/** The key of the hashes of all workspaces, which the first process generates. */
@Injectable()
export class RefusalKeyStore implements OnModuleInit {
  private key: HmacKey | undefined;

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @throws RefusalKeyLost */
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
      const [stored] = await tx.query<{ key_encrypted: string; is_used: boolean }>(
        sql`SELECT key_encrypted, EXISTS (SELECT 1 FROM contact_refusals) AS is_used FROM refusal_key FOR UPDATE`,
      );
      if (!stored) throw new Error('The key was not stored.');
      const key = this.decrypted(stored) ?? generateKey();
      await tx.execute(sql`UPDATE refusal_key SET key_encrypted = ${this.keyring.encrypt(key, CONTEXT)}`);
      return key;
    });
  }

  /** @returns undefined if the key is lost and no hash was made with it */
  private decrypted(stored: { readonly key_encrypted: string; readonly is_used: boolean }): string | undefined {
    try {
      return this.keyring.decrypt(stored.key_encrypted, CONTEXT);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      if (stored.is_used) throw new RefusalKeyLost();
      return undefined;
    }
  }
}
