import type { DataSource } from 'typeorm';
import { reasonOf, StartFailed } from './start-failed.js';

/** A number that no other advisory lock of this database uses. */
const MIGRATION_LOCK = 7_203_114;

/**
 * Applies the missing migrations. Processes that start at the same time do this one after the other. The lock belongs
 * to a transaction, so that it also works with a connection pooler.
 * @returns the names of the migrations that this call has applied
 * @throws StartFailed
 */
export async function applyMigrations(source: DataSource): Promise<string[]> {
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
