import { Resolver } from 'node:dns/promises';
import { createSystemResolver } from '@outreach/egress';
import { hasOwnSession, isSameDatabase } from '@outreach/postgres-connections';
import { CHECK_TIMEOUT_MS, type Check, failure, ok, warning, type CheckOutcome } from '@outreach/command-line';
import { describeRedis, parseRedisAddress, type RedisInfo } from '@outreach/redis-connections';
import type { DataSource } from 'typeorm';
import { sql } from '../../platform/database/index.js';
import { redisCheck } from '../../platform/redis/index.js';
import type { ServiceConfig } from '../settings.js';
import { limitedDatabase } from './limited-database.js';

const MAX_HOSTS = 5;
const NAME_SERVER_TIMEOUT_MS = 1_000;
/** Queries are cancelled before the check ends without a result: several silent name servers are asked one after the other. */
const QUERIES_TIMEOUT_MS = CHECK_TIMEOUT_MS - 1_000;
/** Codes of errors that no response has caused. */
const SILENT = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'];

/** The kind of Redis, its servers with their versions, and that none forgets anything when its memory is full. */
export const checkRedis = (url: string): Check => ({
  name: 'redis',
  advice: `Check REDIS_URL and ${describeRedis(url)}.`,
  run: async () => {
    const servers = await redisCheck.info(url, CHECK_TIMEOUT_MS);
    const advice = 'Set maxmemory-policy to noeviction: another one removes jobs when the memory is full.';
    const replicas = servers.filter(({ is_replica: isReplica }) => isReplica);
    const forgetful = servers.filter(({ eviction_policy: policy }) => policy !== 'noeviction');
    return [
      ok(foundRedis(url, servers)),
      ...replicas.map(() => failure('the server is a replica', 'Let REDIS_URL lead to the primary.')),
      ...forgetful.map(({ eviction_policy: policy, address }) =>
        failure(`eviction policy ${policy}${servers.length > 1 ? ` at ${address}` : ''}`, advice),
      ),
      ...(forgetful.length === 0 ? [ok('eviction policy noeviction')] : []),
    ];
  },
});

function foundRedis(url: string, servers: readonly RedisInfo[]): string {
  const versions = [...new Set(servers.map(({ version }) => version))].join();
  const found = `Redis ${versions} at ${servers.map(({ address }) => address).join(', ')}`;
  const address = parseRedisAddress(url);
  switch (address.kind) {
    case 'server':
      return found;
    case 'sentinel':
      return `${found}, the primary ${address.name} of Sentinels`;
    case 'cluster':
      return `${found}, a cluster of ${servers.length} ${servers.length === 1 ? 'primary' : 'primaries'}`;
    default:
      return address satisfies never;
  }
}

/** Queues and workers have sessions, in the database of the records. */
export const checkQueueDatabase = (databaseUrl: string, queueUrl: string): Check => ({
  name: 'queue database',
  advice: 'Set QUEUE_DATABASE_URL to the database of DATABASE_URL, without a connection pooler.',
  run: async () => {
    if (!(await hasOwnSession(queueUrl))) {
      return [
        failure('leads to a connection pooler in transaction mode', 'Set QUEUE_DATABASE_URL to PostgreSQL itself.'),
      ];
    }
    if (queueUrl === databaseUrl || (await isSameDatabase(databaseUrl, queueUrl)))
      return [ok('the same database, with sessions')];
    return [failure('is another database', 'Set QUEUE_DATABASE_URL to the database of DATABASE_URL.')];
  },
});

/**
 * The name servers respond, and the hosts that the service needs have addresses.
 * @param servers name servers, as `address:port`; those of the operating system if absent
 */
export const checkDns = (
  config: Pick<ServiceConfig, 'public_url'> & Partial<Pick<ServiceConfig, 'dns_servers'>>,
  source: DataSource | undefined,
  servers?: readonly string[],
): Check => ({
  name: 'dns',
  advice: 'Check the name servers of this machine.',
  run: async () => {
    const { hostname } = new URL(config.public_url);
    const hosts = [hostname, ...(source ? await smtpHosts(source) : [])].filter(isPublicName);
    const [outcomes, system, own] = await Promise.all([
      Promise.all([...new Set(hosts)].map((host) => resolve(host, servers))),
      checkNameServers(servers, hosts.length > 0),
      checkOwnServers(config),
    ]);
    return [system, ...own, ...outcomes];
  },
});

const isPublicName = (host: string): boolean => host.includes('.') && !/^[\d.]+$|^\[|\.localhost$/.test(host);

/** Asks for the servers of the root, which tells nobody what the service does. Any response shows that one listens. */
async function checkNameServers(servers: readonly string[] | undefined, isNeeded: boolean): Promise<CheckOutcome> {
  const resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), QUERIES_TIMEOUT_MS);
  const code = await resolver.resolveNs('.').then(() => undefined, codeOf);
  clearTimeout(timer);
  if (code === undefined || !SILENT.includes(code)) return ok('a name server responds');
  const advice = 'Check the name servers of this machine: without them no mail server and no webhook is found.';
  return isNeeded ? failure('no name server responds', advice) : warning('no name server responds', advice);
}

/** Those of `DNS_SERVERS`, of which one has to respond. */
async function checkOwnServers({
  dns_servers: servers = [],
}: {
  dns_servers?: readonly string[];
}): Promise<CheckOutcome[]> {
  if (servers.length === 0) return [];
  const { status } = await checkNameServers(servers, false);
  const advice = 'Correct DNS_SERVERS: without it, sender domains and tracking domains cannot be checked.';
  return [status === 'ok' ? ok('DNS_SERVERS responds') : warning('no server of DNS_SERVERS responds', advice)];
}

/** Hosts of the accounts that were used last. */
async function smtpHosts(source: DataSource): Promise<string[]> {
  const rows = await limitedDatabase(source).query<{ smtp_host: string }>(
    sql`SELECT smtp_host FROM email_accounts WHERE is_active AND smtp_host IS NOT NULL
        GROUP BY smtp_host ORDER BY max(last_used_at) DESC NULLS LAST LIMIT ${MAX_HOSTS}`,
  );
  return rows.map(({ smtp_host }) => smtp_host);
}

async function resolve(host: string, servers: readonly string[] | undefined): Promise<CheckOutcome> {
  try {
    const resolver = createSystemResolver(servers ? { servers } : {});
    const addresses = await resolver(host, AbortSignal.timeout(QUERIES_TIMEOUT_MS));
    return ok(`${host} has ${addresses.length === 1 ? 'an address' : `${addresses.length} addresses`}`);
  } catch (error) {
    const code = codeOf(error);
    if (SILENT.includes(code)) return warning(`${host}: no name server responds`, 'See the name servers.');
    return warning(`${host} has no address (${code})`, 'Correct the name, or its records in DNS.');
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
