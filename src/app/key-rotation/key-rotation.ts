import { setTimeout as pause } from 'node:timers/promises';
import { DecryptionFailed } from '@outreach/keyring';
import { type EncryptedColumn, type EncryptedRow, Keyring } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import {
  type EncryptedValue,
  findLockable,
  keyUses,
  type LockableRows,
  lockOtherValues,
  writeValues,
} from './encrypted-values.cross-tenant.js';

/** Values are at most some 90 KB, so a batch has at most 9 MB. */
const BATCH_SIZE = 100;

/** How long it waits for rows that other transactions have locked. */
const MAX_WAIT_MS = 30_000;
const POLL_MS = 500;

/** What was done with the values of one column. */
export interface RotatedColumn {
  readonly column: EncryptedColumn;
  /** How many values were encrypted anew. */
  readonly encrypted: number;
  /** How many values no configured key decrypts, by the ID of their key. They are unchanged. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** How many values each key has encrypted now. */
  readonly uses: ReadonlyMap<string, number>;
  /** How many values still need another key than the first one, because other transactions kept their rows locked. */
  readonly remaining: number;
}

/** Called after each batch with the number of values of the column that were encrypted anew until now. */
export type OnBatch = (column: EncryptedColumn, encrypted: number) => void;

/**
 * Encrypts the values of a column anew with the first key, in batches, each in a transaction of its own. What is
 * encrypted with the first key already is left as it is: a rotation that was killed is continued by the next one, and two
 * at the same time share the work.
 */
export async function rotateColumn(
  database: Database,
  keyring: Keyring,
  column: EncryptedColumn,
  onBatch: OnBatch,
): Promise<RotatedColumn> {
  const deadline = performance.now() + MAX_WAIT_MS;
  let encrypted = 0;
  for (;;) {
    const pass = await rotateOnce(database, keyring, column, (count) => onBatch(column, encrypted + count));
    encrypted += pass.encrypted;
    const uses = new Map((await keyUses(database, column)).map(({ key_id, total }) => [key_id, total]));
    const remaining = othersThan(keyring.ids[0], uses) - sum(pass.unreadable.values());
    if (remaining <= 0 || performance.now() > deadline) {
      return { column, encrypted, unreadable: pass.unreadable, uses, remaining: Math.max(remaining, 0) };
    }
    await pause(POLL_MS);
  }
}

interface Pass {
  readonly encrypted: number;
  readonly unreadable: Map<string, number>;
}

async function rotateOnce(
  database: Database,
  keyring: Keyring,
  column: EncryptedColumn,
  onBatch: (encrypted: number) => void,
): Promise<Pass> {
  const pass = { encrypted: 0, unreadable: new Map<string, number>() };
  for (const rows of await findLockable(database, column, keyring.ids[0])) {
    for await (const batch of batchesOf(database, keyring, column, rows)) {
      pass.encrypted += batch.encrypted;
      for (const id of batch.unreadable) pass.unreadable.set(id, (pass.unreadable.get(id) ?? 0) + 1);
      onBatch(pass.encrypted);
    }
  }
  return pass;
}

/** `last` is the primary key of the last value, undefined if there was none. */
interface Batch {
  readonly last: EncryptedRow | undefined;
  readonly encrypted: number;
  readonly unreadable: readonly string[];
}

async function* batchesOf(
  database: Database,
  keyring: Keyring,
  column: EncryptedColumn,
  rows: LockableRows,
): AsyncGenerator<Batch> {
  let after: EncryptedRow | undefined;
  for (;;) {
    const batch = await rotateBatch(database, keyring, column, { after, rows });
    if (!batch.last) return;
    after = batch.last;
    yield batch;
  }
}

function rotateBatch(
  database: Database,
  keyring: Keyring,
  column: EncryptedColumn,
  { after, rows }: { readonly after: EncryptedRow | undefined; readonly rows: LockableRows },
): Promise<Batch> {
  return database.transaction(async (tx) => {
    const values = await lockOtherValues(tx, column, { keyId: keyring.ids[0], after, limit: BATCH_SIZE, rows });
    const changed = values.flatMap((value) => encryptAnew(keyring, column, value));
    const encrypted = changed.length > 0 ? await writeValues(tx, column, changed, rows) : 0;
    const written = new Set(changed.map(({ place }) => place));
    const unreadable = values
      .filter(({ place }) => !written.has(place))
      .map((value) => Keyring.idOf(value.encrypted) ?? '');
    return { last: values.at(-1)?.row, encrypted, unreadable };
  });
}

/** @returns nothing if the value cannot be decrypted */
function encryptAnew(keyring: Keyring, column: EncryptedColumn, value: EncryptedValue): EncryptedValue[] {
  const context = column.contextOf(value.row);
  try {
    return [{ ...value, encrypted: keyring.encrypt(keyring.decrypt(value.encrypted, context), context) }];
  } catch (error) {
    if (error instanceof DecryptionFailed) return [];
    throw error;
  }
}

const othersThan = (id: string, uses: ReadonlyMap<string, number>): number => sum(uses.values()) - (uses.get(id) ?? 0);

export const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);
