import type { DataSource } from 'typeorm';
import { hasOwnSession, isSameDatabase, sql } from '../../platform/database/index.js';
import { createSystemResolver } from '../../platform/egress/index.js';
import { redisInfo } from '../../platform/queue/index.js';
import type { ServiceConfig } from '../settings.js';
import { reasonOf } from '../start-failed.js';
import { CHECK_TIMEOUT_MS, type Check, failure, type Finding, ok } from './finding.js';
import { limitedDatabase } from './limited-database.js';

const MAX_HOSTS = 5;
/** What a name server says about a name, and so responds. */
const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA'];

type Outcome = Omit<Finding, 'check'>;

/** The version of Redis, and that it forgets nothing when its memory is full. */
export const checkRedis = (url: string): Check => ({
  name: 'redis',
  advice: `Check REDIS_URL and Redis at ${new URL(url).host}.`,
  run: async () => {
    const { version, eviction_policy: policy } = await redisInfo(url, CHECK_TIMEOUT_MS);
    const advice = 'Set maxmemory-policy to noeviction: another one removes jobs when the memory is full.';
    return [
      ok(`Redis ${version} at ${new URL(url).host}`),
      policy === 'noeviction' ? ok('eviction policy noeviction') : failure(`eviction policy ${policy}`, advice),
    ];
  },
});

/** The second URL of a database behind a connection pooler. */
export const checkQueueDatabase = (databaseUrl: string, queueUrl: string): Check => ({
  name: 'queue database',
  advice: 'Set QUEUE_DATABASE_URL to the database of DATABASE_URL, without a connection pooler.',
  run: async () => {
    if (!(await hasOwnSession(queueUrl))) {
      return [
        failure('leads to a connection pooler in transaction mode', 'Set QUEUE_DATABASE_URL to PostgreSQL itself.'),
      ];
    }
    if (await isSameDatabase(databaseUrl, queueUrl)) return [ok('the same database, with sessions')];
    return [failure('is another database', 'Set QUEUE_DATABASE_URL to the database of DATABASE_URL.')];
  },
});

/** The name servers respond, and the hosts that the service needs have addresses. */
export const checkDns = (config: ServiceConfig, source: DataSource | undefined): Check => ({
  name: 'dns',
  advice: 'Check the name servers of this machine: without them no mail server and no webhook is found.',
  run: async () => {
    const hosts = source ? await smtpHosts(source) : [];
    const { hostname } = new URL(config.public_url);
    const outcomes = await Promise.all([...new Set([hostname, ...hosts])].map(resolve));
    return outcomes;
  },
});

/** Hosts of the accounts that were used last. */
async function smtpHosts(source: DataSource): Promise<string[]> {
  const rows = await limitedDatabase(source).query<{ smtp_host: string }>(
    sql`SELECT smtp_host FROM email_accounts WHERE is_active AND smtp_host ~ '[a-zA-Z]'
        GROUP BY smtp_host ORDER BY max(last_used_at) DESC NULLS LAST LIMIT ${MAX_HOSTS}`,
  );
  return rows.map(({ smtp_host }) => smtp_host);
}

async function resolve(host: string): Promise<Outcome> {
  if (/^[\d.]+$|^\[/.test(host)) return ok(`${host} is an address`);
  try {
    const addresses = await createSystemResolver()(host);
    return ok(`${host} has ${addresses.length === 1 ? 'an address' : `${addresses.length} addresses`}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NO_SUCH_NAME.includes(code))
      return failure(`${host} has no address`, 'Correct the name, or its records in DNS.');
    throw new Error(`${host}: ${reasonOf(error)}`, { cause: error });
  }
}
