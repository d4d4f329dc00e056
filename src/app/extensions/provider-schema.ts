import type { DataSource } from 'typeorm';
import { ACCOUNT_TYPES, isOneOf, PROVIDER_COLUMNS } from '../../email-accounts/index.js';
import { StartFailed } from '../start-failed.js';

type Queryable = Pick<DataSource, 'query'>;

const CHECK = 'email_account_type_known';

/** The table of accounts, as far as it depends on the providers. */
interface StoredTable {
  readonly columns: readonly string[];
  /** The types in its check. */
  readonly types: readonly string[];
}

/** @returns the columns and the check that the table of accounts lacks for the providers of this process */
export async function missingOfProviders(source: Queryable): Promise<string[]> {
  const stored = await storedTable(source);
  if (!stored) return [];
  return [
    ...missingColumns(stored).map((column) => `email_accounts.${column}`),
    ...(hasSameTypes(stored) ? [] : [CHECK]),
  ];
}

/**
 * Adds the columns of providers to the table of accounts, and lets its check know the types of this process. The caller has the
 * lock of the migrations.
 * @throws StartFailed if there are accounts of a provider that is not loaded
 */
export async function addProviders(source: Queryable): Promise<void> {
  const stored = await storedTable(source);
  if (!stored || (missingColumns(stored).length === 0 && hasSameTypes(stored))) return;
  await assertNoOtherTypes(source);
  const columns = missingColumns(stored).map((column) => `ADD COLUMN "${column}" text, `);
  await source.query(
    `ALTER TABLE email_accounts ${columns.join('')} DROP CONSTRAINT ${CHECK},
       ADD CONSTRAINT ${CHECK} CHECK (${isOneOf('type', ACCOUNT_TYPES)})`,
  );
}

async function assertNoOtherTypes(source: Queryable): Promise<void> {
  const others = await source.query<{ type: string }[]>(
    'SELECT DISTINCT type FROM email_accounts WHERE type <> ALL($1) ORDER BY type',
    [ACCOUNT_TYPES],
  );
  if (others.length === 0) return;
  const types = others.map(({ type }) => type).join(', ');
  throw new StartFailed(`There are email accounts of the type ${types}, but OUTREACH_MODULES loads no such provider.`);
}

const missingColumns = ({ columns }: StoredTable): string[] =>
  PROVIDER_COLUMNS.filter((column) => !columns.includes(column));

const hasSameTypes = ({ types }: StoredTable): boolean => [...types].sort().join() === [...ACCOUNT_TYPES].sort().join();

/** @returns undefined before the first migration */
async function storedTable(source: Queryable): Promise<StoredTable | undefined> {
  const [table] = await source.query<StoredTable[]>(
    `SELECT ARRAY(SELECT attname::text FROM pg_attribute
         WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped) AS columns,
       ARRAY(SELECT found[1] FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g') found
         WHERE conrelid = class.oid AND conname = $1) AS types
     FROM pg_class class WHERE class.oid = to_regclass('email_accounts')`,
    [CHECK],
  );
  return table;
}
