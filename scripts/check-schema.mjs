// Applies the migrations to an empty database, and fails if TypeORM would still change the schema for the entities.
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../dist/ormconfig.js';
import { withScratchDatabase } from './scratch-database.mjs';

await withScratchDatabase(async (url) => {
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    await source.runMigrations();
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    if (upQueries.length === 0) {
      console.log('The migrations match the entities.');
      return;
    }
    console.error('The migrations do not match the entities. Missing:');
    for (const { query } of upQueries) console.error(`  ${query}`);
    process.exitCode = 1;
  } finally {
    await source.destroy();
  }
});
