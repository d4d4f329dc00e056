import { type DataSource } from 'typeorm';

/** Any number that no other lock of this database uses. */
const MIGRATION_LOCK = 7_203_114;

/**
 * Applies the migrations that are missing. Processes that start at once take turns.
 * @returns the names of those applied now
 */
export async function migrate(source: DataSource): Promise<string[]> {
  const lock = source.createQueryRunner();
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await source.runMigrations();
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await lock.release();
  }
}
