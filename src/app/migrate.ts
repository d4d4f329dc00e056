import type { DataSource } from 'typeorm';
import { reasonOf, StartFailed } from './start-failed.js';

/** Any number that no other lock of this database uses. */
const MIGRATION_LOCK = 7_203_114;

/**
 * Applies the migrations that are missing. Processes that start at once take turns; the lock is a transaction's, so
 * that it works through a connection pooler, too.
 * @returns the names of those applied now
 * @throws StartFailed
 */
export async function migrate(source: DataSource): Promise<string[]> {
  try {
    const applied = await source.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      return source.runMigrations();
    });
    return applied.map((migration) => migration.name);
  } catch (error) {
    throw new StartFailed(`The migrations failed: ${reasonOf(error)}.`);
  }
}
