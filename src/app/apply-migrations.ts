import { reasonOf } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { distributeNew } from './distribution/distribute.js';
import { runMigrations } from './distribution/run-migrations.js';
import { migrateExtensions, missingOfExtensions } from './extensions/extension-migrations.js';
import { addProviders, missingOfProviders } from './extensions/provider-schema.js';
import { StartFailed } from './start-failed.js';

/** A number that no other advisory lock of this database uses. */
const MIGRATION_LOCK = 7_203_114;

/** @returns the names of the migrations that the database lacks, the oldest first. Changes nothing. */
export async function missingMigrations(source: Pick<DataSource, 'query' | 'migrations'>): Promise<string[]> {
  const [table] = await source.query<{ exists: boolean }[]>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows = table?.exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const applied = new Set(rows.map(({ name }) => name));
  const names = source.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const missing = names.filter((name) => !applied.has(name));
  return [...missing, ...(await missingOfExtensions(source)), ...(await missingOfProviders(source))];
}

/** The first migration of the versions before the first release, whose databases have another history. */
const BEFORE_RELEASE = 'Initial1795200000000';

/** @throws StartFailed if a version before the first release has made the database */
async function refuseEarlierSchema(source: Pick<DataSource, 'query'>): Promise<void> {
  const [table] = await source.query<{ exists: boolean }[]>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  if (!table?.exists) return;
  const rows = await source.query<unknown[]>('SELECT 1 FROM migrations WHERE name = $1', [BEFORE_RELEASE]);
  if (rows.length > 0)
    throw new StartFailed(
      'The database was made by a version before the first release, from which none upgrades: use an empty database ' +
        '(DATABASE_URL, or another DATA_DIR), and move the contacts with GET /contacts/export and POST /contacts/import.',
    );
}

/**
 * Applies the missing migrations. Processes that start at the same time do this one after the other. The lock belongs
 * to a transaction, so that it also works with a connection pooler.
 * @param onProgress is called if a migration is missing
 * @returns the names of the migrations that this call has applied
 * @throws StartFailed
 */
export async function applyMigrations(
  source: DataSource,
  onProgress: (text: string) => void = () => undefined,
): Promise<string[]> {
  try {
    const applied = await source.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await refuseEarlierSchema(source);
      const missing = await missingMigrations(source);
      if (missing.length > 0) onProgress(`Applying ${missing.length} migrations`);
      const own = await runMigrations(source);
      const ofExtensions = await migrateExtensions(source);
      await addProviders(source);
      await distributeNew(source);
      return [...own, ...ofExtensions];
    });
    return applied;
  } catch (error) {
    if (error instanceof StartFailed) throw error;
    throw new StartFailed(`The migrations failed: ${reasonOf(error)}.`);
  }
}
