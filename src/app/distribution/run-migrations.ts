import { type DataSource, MigrationExecutor } from 'typeorm';
import { hasCitus } from './placements.js';
import { withDdlOnNodes } from './session.js';

/**
 * Applies the missing migrations of a data source, as TypeORM does, also to a database on several nodes.
 * @returns their names
 */
export async function runMigrations(source: DataSource): Promise<string[]> {
  const session = source.createQueryRunner();
  try {
    const executor = new MigrationExecutor(source, session);
    executor.transaction = source.options.migrationsTransactionMode ?? 'all';
    const run = () => executor.executePendingMigrations();
    const applied = (await hasCitus(session)) ? await withDdlOnNodes(session, run) : await run();
    return applied.map(({ name }) => name);
  } finally {
    await session.release();
  }
}
