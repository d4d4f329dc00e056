import { findRunning, hasCluster } from '@outreach/embedded-postgres';
import { describeDatabase } from '@outreach/postgres-connections';
import { type Check, failure, type Finding, reasonOf, runCheck, warning } from '@outreach/command-line';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../ormconfig.js';
import type { ServiceConfig } from '../settings.js';
import { StartFailed } from '../start-failed.js';
import { checkClock, checkSchema, checkServer } from './database-checks.cross-tenant.js';
import { checkAutoEnrollment, checkDueWork, checkErasures, checkSenders } from './due-work.cross-tenant.js';
import { checkKeys } from './key-checks.js';
import { checkDisk, checkSettings } from './machine-checks.js';
import { checkDns, checkQueueDatabase, checkRedis } from './network-checks.cross-tenant.js';
import { checkNodes } from './node-checks.js';

/** Few connections, because the service may use most of those that PostgreSQL allows. */
const POOL_SIZE = 2;

/** Looks at everything that the service needs. Changes, creates and starts nothing. Never rejects. */
export async function examine(config: ServiceConfig): Promise<Finding[]> {
  const [machine, redis, database] = await Promise.all([
    runAll([checkSettings(config), checkDisk(config)]),
    runAll(config.redis_url ? [checkRedis(config.redis_url)] : []),
    examineDatabase(config),
  ]);
  return [...machine, ...database, ...redis];
}

async function runAll(checks: readonly Check[]): Promise<Finding[]> {
  return (await Promise.all(checks.map(runCheck))).flat();
}

/** The checks that need the database, and those that it has an influence on. */
async function examineDatabase(config: ServiceConfig): Promise<Finding[]> {
  let opened: { source: DataSource; url: string } | undefined;
  const opening = await runCheck({
    name: 'database',
    advice: config.database_url
      ? 'Check DATABASE_URL, and that PostgreSQL runs there.'
      : 'Start the service, or run this where it runs.',
    run: async () => {
      opened = await open(config);
      return [];
    },
  });
  if (!opened) return [...opening, ...(await runAll([checkDns(config, undefined)])), ...notChecked(NEED_DATABASE)];
  const { source, url } = opened;
  const needsSession = config.queue_database_url !== undefined || !config.redis_url || config.role !== 'api';
  const queues = needsSession ? [checkQueueDatabase(url, config.queue_database_url ?? url)] : [];
  const basics = [checkServer(source), checkSchema(source), checkClock(source), checkNodes(source)];
  const server = await runAll([...basics, ...queues]);
  const isComplete = !server.some(({ check, status }) => check === 'schema' && status === 'error');
  if (!isComplete) return [...server, ...(await runAll([checkDns(config, undefined)])), ...notChecked(NEED_SCHEMA)];
  const work = [checkDueWork(source), checkErasures(source), checkAutoEnrollment(source), checkSenders(source)];
  return [...server, ...(await runAll([checkKeys(config, source), checkDns(config, source), ...work]))];
}

/** @throws StartFailed, EmbeddedPostgresFailure, or the error of the connection without the password */
async function open({ database_url, data_dir }: ServiceConfig): Promise<{ source: DataSource; url: string }> {
  const url = database_url ?? (await findRunning(data_dir));
  if (url === undefined) throw new StartFailed(await whyNotRunning(data_dir));
  const source = new DataSource(dataSourceOptions(url, POOL_SIZE));
  try {
    return { source: await source.initialize(), url };
  } catch (error) {
    throw new StartFailed(`cannot open ${describeDatabase(url)}: ${reasonOf(error)}`);
  }
}

async function whyNotRunning(dataDir: string): Promise<string> {
  return (await hasCluster(dataDir))
    ? 'the embedded PostgreSQL does not run, because the service does not'
    : `there is no database in ${dataDir} yet`;
}

const NEED_SCHEMA = ['keys', 'due work', 'erasures', 'auto-enrollment', 'accounts'];
const NEED_DATABASE = ['schema', 'clock', ...NEED_SCHEMA];

const notChecked = (checks: readonly string[]): Finding[] =>
  checks.map((check) => ({
    check,
    ...warning('not checked, because that needs the database', 'Run this again when the database is right.'),
  }));

/** The findings about settings that are wrong. Nothing else can be checked then. */
export const wrongSettings = (mistakes: readonly string[]): Finding[] =>
  mistakes.map((mistake) => ({
    check: 'settings',
    ...failure(mistake, 'Correct the setting in the environment or in .env.'),
  }));
