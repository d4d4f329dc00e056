import { connectionOptions } from '@outreach/postgres-connections';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { entities } from './src/app/entities.js';
import { migrations } from './src/app/migrations/index.js';
import { databaseUrl } from './src/platform/config/index.js';
import { ConstraintNames } from './src/platform/database/index.js';

/** The connections of one process to its database, in addition to those of the queue. */
const POOL_SIZE = 12;

/** @returns how the service, the migration command and the tests connect to the database at this URL */
export const dataSourceOptions = (url: string | undefined, poolSize = POOL_SIZE): DataSourceOptions => ({
  type: 'postgres',
  // Otherwise TypeORM loads a second copy beside the one in the bundle, whose errors are of another class.
  driver: pg,
  entities,
  migrations,
  namingStrategy: new ConstraintNames(),
  migrationsTableName: 'migrations',
  migrationsTransactionMode: 'each',
  installExtensions: false,
  parseInt8: true,
  applicationName: 'outreach',
  extra: { ...(url !== undefined && connectionOptions(url)), max: poolSize, idleTimeoutMillis: 30_000 },
});

export default new DataSource(dataSourceOptions(databaseUrl()));
