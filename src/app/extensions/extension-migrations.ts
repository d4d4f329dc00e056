import { reasonOf } from '@outreach/command-line';
import { DataSource } from 'typeorm';
import { type Extension, loadedExtensions } from '../../platform/extensions/index.js';
import { runMigrations } from '../distribution/run-migrations.js';
import { StartFailed } from '../start-failed.js';
import { MigrationLogger } from './migration-logger.js';
import { MIGRATIONS_TABLE, migrationsTableOf, tableErrors, tablesNamedLike } from './table-errors.js';

type Queryable = Pick<DataSource, 'query'>;

/** @returns the names of the migrations of extension modules that the database lacks */
export async function missingOfExtensions(source: Queryable): Promise<string[]> {
  const missing: string[] = [];
  for (const extension of loadedExtensions()) missing.push(...(await missingOf(source, extension)));
  return missing;
}

async function missingOf(source: Queryable, extension: Extension): Promise<string[]> {
  const applied = new Set(await appliedOf(source, extension));
  return extension.migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

/** @returns the names of the applied migrations; undefined if none was ever applied */
async function appliedOf(source: Queryable, extension: Extension): Promise<string[] | undefined> {
  const table = migrationsTableOf(extension);
  const [found] = await source.query<{ exists: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  if (!found?.exists) return undefined;
  return (await source.query<{ name: string }[]>(`SELECT name FROM "${table}"`)).map(({ name }) => name);
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
    if ((await missingOf(source, extension)).length > 0) {
      await assertNameIsFree(source, extension);
      applied.push(...(await migrate(source, extension)));
    }
    const errors = await tableErrors(source, extension);
    if (errors.length > 0) throw new StartFailed(`The extension ${extension.name}: ${errors.join('; ')}.`);
  }
  return applied;
}

/** @throws StartFailed if an extension that was never there has a name with which tables begin already */
async function assertNameIsFree(source: Queryable, extension: Extension): Promise<void> {
  if (await appliedOf(source, extension)) return;
  const taken = await tablesNamedLike(source, extension);
  if (taken.length === 0) return;
  throw new StartFailed(
    `The extension ${extension.name} needs another name: the database has ${taken.join(', ')} of another module.`,
  );
}

async function migrate({ options }: DataSource, extension: Extension): Promise<string[]> {
  const logger = new MigrationLogger();
  const own = new DataSource({
    ...options,
    entities: [],
    migrations: [...extension.migrations],
    migrationsTableName: migrationsTableOf(extension),
    logger,
  });
  try {
    await own.initialize();
    return await runMigrations(own);
  } catch (error) {
    const reason = reasonOf(logger.failure ?? error);
    throw new StartFailed(`The migrations of the extension ${extension.name} failed: ${reason}.`);
  } finally {
    if (own.isInitialized) await own.destroy();
  }
}

/** @returns the names of extensions that have tables in the database, but are not loaded */
export async function absentExtensions(source: Queryable): Promise<string[]> {
  const tables = await source.query<{ name: string }[]>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND relname LIKE '%\\_${MIGRATIONS_TABLE}' ORDER BY relname`,
  );
  const loaded = new Set(loadedExtensions().map(migrationsTableOf));
  return tables.filter(({ name }) => !loaded.has(name)).map(({ name }) => name.slice(0, -MIGRATIONS_TABLE.length - 1));
}
