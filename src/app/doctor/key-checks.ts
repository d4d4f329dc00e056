import { type Check, failure, ok, warning, type CheckOutcome } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { DecryptionFailed } from '@outreach/keyring';
import { type EncryptedColumn, Keyring } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { ENCRYPTED_COLUMNS } from '../encrypted-columns.js';
import { existingKeys } from '../encryption-keys.js';
import { type EncryptedValue, sampleEncrypted } from '../key-rotation/encrypted-values.cross-tenant.js';
import type { ServiceConfig } from '../settings.js';
import { limitedDatabase } from './limited-database.js';

/** How many of the newest and of the oldest values of each column are decrypted. */
const SAMPLE_SIZE = 50;

/** The keys can decrypt what is stored, as far as a sample of each encrypted column shows. */
export const checkKeys = (config: ServiceConfig, source: DataSource): Check => ({
  name: 'keys',
  advice: 'Set ENCRYPTION_KEY to the keys with which the service ran before, the newest first.',
  run: async () => {
    const keys = await existingKeys(config);
    if (!keys) return [failure(`${config.data_dir}/encryption.key is missing`, 'Restore it from a backup.')];
    const keyring = new Keyring(keys);
    const database = limitedDatabase(source);
    const samples = await Promise.all(ENCRYPTED_COLUMNS.map((column) => checkColumn(database, keyring, column)));
    const wrong = samples.flatMap(({ outcomes }) => outcomes);
    const total = samples.reduce((sum, { decrypted }) => sum + decrypted, 0);
    return [ok(`${keys.length === 1 ? '1 key' : `${keys.length} keys`}; decrypted ${total} stored values`), ...wrong];
  },
});

async function checkColumn(
  database: Database,
  keyring: Keyring,
  column: EncryptedColumn,
): Promise<{ decrypted: number; outcomes: CheckOutcome[] }> {
  const [oldest, newest] = await Promise.all([
    sampleEncrypted(database, column, { limit: SAMPLE_SIZE, newestFirst: false }),
    sampleEncrypted(database, column, { limit: SAMPLE_SIZE, newestFirst: true }),
  ]);
  const values = [...new Map([...oldest, ...newest].map((value) => [JSON.stringify(value.row), value])).values()];
  const unreadable = values.filter((value) => !isReadable(keyring, column, value));
  const old = values.filter(({ encrypted }) => Keyring.idOf(encrypted) !== keyring.ids[0]);
  const decrypted = values.length - unreadable.length;
  if (unreadable.length > 0) {
    const ids = [...new Set(unreadable.map(({ encrypted }) => Keyring.idOf(encrypted) ?? 'unknown'))].join(', ');
    const message = `${unreadable.length} of ${values.length} ${column.meaning} cannot be decrypted (key ${ids})`;
    return { decrypted, outcomes: [failure(message, 'Add that key to ENCRYPTION_KEY, or enter these secrets again.')] };
  }
  if (old.length === 0) return { decrypted, outcomes: [] };
  const message = `${old.length} of ${values.length} ${column.meaning} are encrypted with an older key`;
  return { decrypted, outcomes: [warning(message, 'Run "outreach keys rotate" before you remove a key.')] };
}

function isReadable(keyring: Keyring, column: EncryptedColumn, { row, encrypted }: EncryptedValue): boolean {
  try {
    keyring.decrypt(encrypted, column.contextOf(row));
    return true;
  } catch (error) {
    if (error instanceof DecryptionFailed) return false;
    throw error;
  }
}
