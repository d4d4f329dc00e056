import { type EncryptedColumn, type EncryptedRow, Keyring } from '../../platform/crypto/index.js';
import { type Database, type Sql, sql } from '../../platform/database/index.js';

/** How many characters of an encrypted value are read to find its key. */
const PREFIX_LENGTH = 32;

/** An encrypted value, and where it is: `place` is its row in an open transaction. */
export interface EncryptedValue {
  readonly place: string;
  readonly row: EncryptedRow;
  readonly encrypted: string;
}

/** How many values of a column a key has encrypted. `key_id` is empty for a value that no key has encrypted. */
export interface KeyUse {
  readonly key_id: string;
  readonly total: number;
}

/** The rows that are locked together: those of a workspace, or all if it is undefined. */
export interface LockableRows {
  readonly workspace_id: number | undefined;
}

/**
 * @returns where values that another key than `keyId` has encrypted can be locked: several nodes lock rows, and find them by
 *   their places, within a workspace only
 */
export async function findLockable(
  database: Database,
  column: EncryptedColumn,
  keyId: string,
): Promise<LockableRows[]> {
  if (!database.isDistributed || !column.primary_key.includes('workspace_id')) return [{ workspace_id: undefined }];
  return database.query<{ workspace_id: number }>(
    sql`SELECT DISTINCT workspace_id FROM ${sql.ref(column.table)} WHERE ${isOther(column, keyId)} ORDER BY 1`,
  );
}

const isWithin = ({ workspace_id: id }: LockableRows): Sql =>
  id === undefined ? sql`TRUE` : sql`workspace_id = ${id}`;

const isOther = ({ column }: EncryptedColumn, keyId: string): Sql => {
  const value = sql.ref(column);
  return sql`${value} IS NOT NULL AND NOT starts_with(left(${value}, ${PREFIX_LENGTH}), ${Keyring.prefixOf(keyId)})`;
};

/**
 * Returns the next values that another key than `keyId` has encrypted, and locks their rows until the transaction ends.
 * Leaves out rows that other transactions have locked, so it never waits.
 * @param after the primary key after which it begins; the beginning if absent
 */
export async function lockOtherValues(
  tx: Database,
  column: EncryptedColumn,
  { keyId, after, limit, rows }: { keyId: string; after: EncryptedRow | undefined; limit: number; rows: LockableRows },
): Promise<EncryptedValue[]> {
  const rest = after ? sql`(${keyOf(column)}) > (${sql.join(valuesOf(column, after))})` : sql`TRUE`;
  return readValues(
    tx,
    column,
    sql`${isOther(column, keyId)} AND ${isWithin(rows)} AND ${rest}
        ORDER BY ${keyOf(column)} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`,
  );
}

/** Returns the newest or the oldest values of a column, by its primary key. */
export function sampleEncrypted(
  database: Database,
  column: EncryptedColumn,
  { limit, newestFirst }: { limit: number; newestFirst: boolean },
): Promise<EncryptedValue[]> {
  const order = column.primary_key.map((name) => (newestFirst ? sql`${sql.ref(name)} DESC` : sql.ref(name)));
  return readValues(
    database,
    column,
    sql`${sql.ref(column.column)} IS NOT NULL ORDER BY ${sql.join(order)} LIMIT ${limit}`,
  );
}

/** Writes values to rows that are locked. @returns how many */
export function writeValues(
  tx: Database,
  { table, column }: EncryptedColumn,
  values: readonly EncryptedValue[],
  rows: LockableRows,
): Promise<number> {
  return tx.execute(
    sql`UPDATE ${sql.ref(table)} record SET ${sql.ref(column)} = changed.encrypted
        FROM unnest(${values.map(({ place }) => place)}::tid[], ${values.map(({ encrypted }) => encrypted)}::text[])
             AS changed (place, encrypted)
        WHERE record.ctid = changed.place AND ${isWithin(rows)}`,
  );
}

/** Returns how many values each key has encrypted. */
export function keyUses(database: Database, { table, column }: EncryptedColumn): Promise<KeyUse[]> {
  const value = sql.ref(column);
  return database.query<{ key_id: string; total: number }>(
    sql`SELECT CASE WHEN left(${value}, 3) = 'v1.' THEN split_part(left(${value}, ${PREFIX_LENGTH}), '.', 2)
      ELSE '' END AS key_id,
               count(*) AS total
        FROM ${sql.ref(table)} WHERE ${value} IS NOT NULL GROUP BY 1`,
  );
}

/** Whether mail was sent. Its links are signed, and stay in the mailboxes of its recipients. */
export async function hasSentMail(database: Database): Promise<boolean> {
  const [row] = await database.query<{ has_sent: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM messages WHERE sent_at IS NOT NULL)
            OR EXISTS (SELECT 1 FROM email_accounts WHERE last_used_at IS NOT NULL OR counted_on IS NOT NULL)
            OR EXISTS (SELECT 1 FROM email_account_days) AS has_sent`,
  );
  return row?.has_sent ?? false;
}

async function readValues(database: Database, column: EncryptedColumn, rows: Sql): Promise<EncryptedValue[]> {
  const found = await database.query<EncryptedRow & { encrypted_value: string; row_place: string }>(
    sql`SELECT ctid::text AS row_place, ${keyOf(column)}, ${sql.ref(column.column)} AS encrypted_value
        FROM ${sql.ref(column.table)} WHERE ${rows}`,
  );
  return found.map(({ encrypted_value: encrypted, row_place: place, ...row }) => ({ place, row, encrypted }));
}

const keyOf = ({ primary_key: names }: EncryptedColumn): Sql => sql.join(names.map((name) => sql.ref(name)));

const valuesOf = ({ primary_key: names }: EncryptedColumn, row: EncryptedRow): Sql[] =>
  names.map((name) => sql`${row[name]}`);
