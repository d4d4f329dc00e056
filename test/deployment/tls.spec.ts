import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { debianPostgres, startTemporaryPostgres, type TemporaryPostgres } from '../../scripts/temporary-postgres.mjs';
import { freePort, outreach, OutreachProcess } from '../support/command-line.js';
import { RedisCluster } from '../support/redis-cluster.js';
import { RedisProcess } from '../support/redis-process.js';
import { tlsFile } from '../support/tls-files.js';

const CA = tlsFile('ca.pem');
const ENCRYPTION_KEY = 'a key that only tests use';

describe('PostgreSQL and Redis with certificates of a private authority', () => {
  let postgres: TemporaryPostgres;
  let redis: RedisProcess;
  let redisPort: string;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outreach-tls-'));
    redisPort = await freePort();
    const files = { 'server.crt': tlsFile('server.pem'), 'server.key': tlsFile('server.key') };
    [postgres, redis] = await Promise.all([
      startTemporaryPostgres(debianPostgres() ?? '', { settings: ['ssl=on'], files }),
      RedisProcess.start(redisOptions(redisPort)),
    ]);
  });
  afterAll(async () => {
    await Promise.all([postgres.stop(), redis.kill()]);
    rmSync(folder, { recursive: true });
  });

  const redisOptions = (port: string): string[] => {
    const files = ['--tls-cert-file', tlsFile('server.pem'), '--tls-key-file', tlsFile('server.key')];
    return ['--tls-port', port, ...files, '--tls-auth-clients', 'no'];
  };
  const databaseUrl = (...parameters: string[]): string => `${postgres.url}?${parameters.join('&')}`;
  const redisUrl = (host = 'localhost'): string => `rediss://${host}:${redisPort}`;
  const fileWith = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `${text}\n`);
    return join(folder, name);
  };
  const hostsOf = (url: string): string => url.replace('@', '@127.0.0.1:1,');

  it('are used with TLS by a service whose secrets are in files, with several hosts', async () => {
    const port = await freePort();
    const service = await OutreachProcess.serve({
      DATABASE_URL_FILE: fileWith('database', hostsOf(databaseUrl('sslmode=verify-full'))),
      REDIS_URL_FILE: fileWith('redis', redisUrl()),
      ENCRYPTION_KEY_FILE: fileWith('key', ENCRYPTION_KEY),
      NODE_EXTRA_CA_CERTS: CA,
      PORT: port,
    });
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ok', checks: { database: true, redis: true } });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT count(*)::int AS sessions, bool_and(ssl) AS ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
       WHERE application_name LIKE 'outreach%'`,
    );
    await client.end();
    expect(rows).toEqual([{ sessions: expect.any(Number), ssl: true }]);
    expect((await service.stop()).code).toBe(0);
  });

  it('are used by commands, with the authority of PostgreSQL in DATABASE_URL', async () => {
    const DATABASE_URL = databaseUrl('sslmode=verify-full', `sslrootcert=${CA}`);
    expect(await outreach(['migrate'], { DATABASE_URL, ENCRYPTION_KEY })).toMatchObject({ code: 0, stderr: '' });
  });

  it('are used by commands if Redis is a cluster, or has a Sentinel', async () => {
    const [clusterPort, sentinelPort] = [await freePort(), await freePort()];
    // Servers of these kinds open connections to others.
    const trusting = ['--tls-ca-cert-file', CA];
    const cluster = await RedisCluster.start(1, [...redisOptions(clusterPort), ...trusting, '--tls-cluster', 'yes']);
    const monitored = fileWith('sentinel.conf', `sentinel monitor outreach 127.0.0.1 ${redisPort} 1`);
    const options = [...redisOptions(sentinelPort), ...trusting, '--tls-replication', 'yes'];
    const sentinel = await RedisProcess.start([monitored, '--sentinel', ...options]);
    const urls = {
      [`rediss+cluster://127.0.0.1:${clusterPort}`]: `127.0.0.1:${clusterPort}, a cluster of 1 primary`,
      [`rediss+sentinel://localhost:${sentinelPort}/outreach`]: `127.0.0.1:${redisPort}, the primary outreach of Sentinels`,
    };
    const env = { DATABASE_URL: postgres.url, ENCRYPTION_KEY, NODE_EXTRA_CA_CERTS: CA };
    try {
      for (const [REDIS_URL, found] of Object.entries(urls)) {
        const { stdout } = await outreach(['doctor', '--json'], { ...env, REDIS_URL });
        expect(JSON.parse(stdout).checks).toContainEqual(
          expect.objectContaining({ check: 'redis', status: 'ok', message: expect.stringContaining(found) }),
        );
      }
    } finally {
      await Promise.all([cluster.stop(), sentinel.kill()]);
    }
  });

  it.each([
    ['PostgreSQL', () => ({ DATABASE_URL: databaseUrl('sslmode=verify-full') })],
    ['PostgreSQL with several hosts', () => ({ DATABASE_URL: hostsOf(databaseUrl('sslmode=verify-full')) })],
    ['Redis', () => ({ DATABASE_URL: databaseUrl('sslmode=no-verify'), REDIS_URL: redisUrl() })],
  ])('are refused with one line without the authority: %s', async (_, urls) => {
    const { code, stderr } = await outreach(['serve'], {
      ENCRYPTION_KEY,
      PORT: await freePort(),
      LOG_LEVEL: 'fatal',
      ...urls(),
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*unable to verify the first certificate[^\n]*\n$/),
    ]);
  });
});
