import { DataSource, type DataSourceOptions } from 'typeorm';
import { entities } from './src/app/entities.js';
import { migrations } from './src/app/migrations/index.js';
import { databaseUrl } from './src/platform/config/index.js';

/** Connections of one process to its database, beside those of the queue. */
const POOL_SIZE = 12;

/** How the service, the migration command and the tests connect: the one description of the database. */
export const dataSourceOptions = (url: string, poolSize = POOL_SIZE): DataSourceOptions => ({
  type: 'postgres',
  url,
  entities,
  migrations,
  migrationsTableName: 'migrations',
  migrationsTransactionMode: 'each',
  installExtensions: false,
  parseInt8: true,
  applicationName: 'outreach',
  extra: { max: poolSize, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000, keepAlive: true },
});

export default new DataSource(dataSourceOptions(databaseUrl()));
