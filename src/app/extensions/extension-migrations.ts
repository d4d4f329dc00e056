import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../ormconfig.js';
import { type Extension, loadedExtensions, prefixOf } from '../../platform/extensions/index.js';
import { reasonOf, StartFailed } from '../start-failed.js';

const POOL_SIZE = 2;
const TABLE = 'extension_migrations';

const tableOf = (extension: Extension): string => `${prefixOf(extension)}${TABLE}`;

type Queryable = Pick<DataSource, 'query'>;

/** @returns the names of the migrations of extension modules that the database lacks */
export async function missingOfExtensions(source: Queryable): Promise<string[]> {
  const missing: string[] = [];
  for (const extension of loadedExtensions()) missing.push(...(await missingOf(source, extension)));
  return missing;
}

async function missingOf(source: Queryable, extension: Extension): Promise<string[]> {
  const table = tableOf(extension);
  const [found] = await source.query<{ exists: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  const rows = found?.exists ? await source.query<{ name: string }[]>(`SELECT name FROM "${table}"`) : [];
  const applied = new Set(rows.map(({ name }) => name));
  return extension.migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

/**
 * Applies the missing migrations of the extension modules, each recorded in a table of its extension. The caller has the lock
 * of the migrations.
 * @returns the names of those that this call has applied
 * @throws StartFailed
 */
export async function migrateExtensions(source: DataSource): Promise<string[]> {
  const applied: string[] = [];
  for (const extension of loadedExtensions()) {
    if ((await missingOf(source, extension)).length > 0) applied.push(...(await migrate(source, extension)));
  }
  return applied;
}

async function migrate({ options }: DataSource, extension: Extension): Promise<string[]> {
  if (options.type !== 'postgres' || !options.url) throw new Error('The database has no URL.');
  const own = new DataSource({
    ...dataSourceOptions(options.url, POOL_SIZE),
    entities: [],
    migrations: [...extension.migrations],
    migrationsTableName: tableOf(extension),
  });
  try {
    await own.initialize();
    return (await own.runMigrations()).map(({ name }) => name);
  } catch (error) {
    throw new StartFailed(`The migrations of the extension ${extension.name} failed: ${reasonOf(error)}.`);
  } finally {
    if (own.isInitialized) await own.destroy();
  }
}

/** @returns the names of extensions that have tables in the database, but are not loaded */
export async function absentExtensions(source: Queryable): Promise<string[]> {
  const tables = await source.query<{ name: string }[]>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname LIKE '%\\_${TABLE}' ORDER BY relname`,
  );
  const loaded = new Set(loadedExtensions().map(tableOf));
  return tables.filter(({ name }) => !loaded.has(name)).map(({ name }) => name.slice(0, -TABLE.length - 1));
}
