import { type CommandReport, table } from '@outreach/command-line';
import { ENCRYPTED_HASH_KEY } from '../../platform/keyed-hash/index.js';
import { type EncryptedColumn, Keyring } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { OperatorError } from '../../platform/errors/index.js';
import { ENCRYPTED_COLUMNS } from '../encrypted-columns.js';
import { existingKeys } from '../encryption-keys.js';
import { hasSentMail, keyUses } from '../key-rotation/encrypted-values.cross-tenant.js';
import { type RotatedColumn, rotateColumn, sum } from '../key-rotation/key-rotation.js';
import { describeKey, type KeyReport, reportKeys } from '../key-rotation/rotation-report.js';
import type { ServiceConfig } from '../settings.js';
import { StartFailed } from '../start-failed.js';
import { withDatabase } from './with-database.js';

const PROGRESS_INTERVAL_MS = 1_000;

/** Some values could not be encrypted anew. */
class RotationIncomplete extends OperatorError {}

/** `outreach keys rotate`: encrypts everything that is stored anew with the first key of `ENCRYPTION_KEY`. */
export async function rotateKeys(): Promise<CommandReport> {
  return withDatabase(async (database, { config }) => {
    const keyring = await openKeyring(config);
    await warnIfUnknown(database, keyring);
    const columns = await rotateAll(database, keyring);
    const keys = reportKeys(keyring, columns, await hasSentMail(database));
    const problems = columns.flatMap(problemsOf);
    return {
      json: { encrypted: sum(columns.map(({ encrypted }) => encrypted)), columns: columns.map(summary), keys },
      text: describe(columns, keys),
      ...(problems.length > 0 ? { refusal: new RotationIncomplete(problems.join('\n')) } : {}),
    };
  });
}

/** @throws StartFailed */
async function openKeyring(config: ServiceConfig): Promise<Keyring> {
  const keys = await existingKeys(config);
  if (keys) return new Keyring(keys);
  throw new StartFailed('There is no encryption key yet: the first start of the service generates one.');
}

/** Every start encrypts the key of hashes with its own first key, so that key tells what the last process has. */
async function warnIfUnknown(database: Database, keyring: Keyring): Promise<void> {
  const ids = (await keyUses(database, ENCRYPTED_HASH_KEY)).map(({ key_id }) => key_id);
  if (ids.length === 0 || ids.includes(keyring.ids[0])) return;
  process.stderr.write(
    'The service was last started with another first key. Processes that do not have the new one cannot read what is ' +
      'encrypted with it: restart them with the same ENCRYPTION_KEY as here.\n',
  );
}

/** The columns one after the other: each has transactions of its own. */
async function rotateAll(database: Database, keyring: Keyring): Promise<RotatedColumn[]> {
  const showBatch = progress();
  const rotated: RotatedColumn[] = [];
  for (const column of ENCRYPTED_COLUMNS) {
    const result = await rotateColumn(database, keyring, column, showBatch);
    process.stderr.write(`${column.table}.${column.column}: ${result.encrypted} values encrypted anew\n`);
    rotated.push(result);
  }
  return rotated;
}

/** @returns a function that writes at most one line a second to standard error */
function progress(): (column: EncryptedColumn, encrypted: number) => void {
  let lastAt = performance.now();
  return ({ table: name, column }, encrypted) => {
    if (performance.now() - lastAt < PROGRESS_INTERVAL_MS) return;
    lastAt = performance.now();
    process.stderr.write(`${name}.${column}: ${encrypted} values until now …\n`);
  };
}

const summary = ({ column, encrypted, unreadable, remaining }: RotatedColumn): object => ({
  column: `${column.table}.${column.column}`,
  encrypted,
  unreadable: sum(unreadable.values()),
  remaining,
});

function problemsOf({ column, unreadable, remaining }: RotatedColumn): string[] {
  const lost = [...unreadable].map(
    ([id, count]) =>
      `${column.table}.${column.column}: ${count} values (${column.meaning}) cannot be decrypted: ENCRYPTION_KEY lacks ` +
      `the key ${id || '(unknown)'}, or they were changed. Add that key at the end, or enter these secrets again.`,
  );
  if (remaining === 0) return lost;
  return [...lost, `${column.table}.${column.column}: ${remaining} values are locked by other work: run this again.`];
}

function describe(columns: readonly RotatedColumn[], keys: readonly KeyReport[]): string {
  const total = sum(columns.map(({ encrypted }) => encrypted));
  const rows = keys.map((key) => [String(key.position), key.id, String(key.values), describeKey(key)]);
  return `Encrypted ${total} values anew with the first key.\n${table(['KEY', 'ID', 'VALUES', 'STATE'], rows)}`;
}
