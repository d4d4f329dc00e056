import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { CommandRunner, freePort, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type Env = Record<string, string>;

describe('a process that is asked to stop', () => {
  let database: TestDatabase;
  let env: Env;
  let token: string;
  let server: OutreachProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use', LOG_LEVEL: 'warn' };
    const commands = new CommandRunner();
    const json = async (...args: string[]) => JSON.parse((await commands.run([...args, '--json'], env)).stdout);
    const { id } = await json('workspace', 'create', '--name', 'Acme');
    ({ token } = await json('token', 'create', '--workspace', `${id}`, '--name', 'x'));
    commands.stop();
  });
  beforeEach(async () => {
    env = { ...env, PORT: await freePort() };
  });
  afterEach(() => server.stop());
  afterAll(() => database.drop());

  const url = (path: string): string => `http://127.0.0.1:${env.PORT}${path}`;
  const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

  it('serves requests for SHUTDOWN_DELAY_SECONDS while it is not ready, and ends connections that would stay open', async () => {
    server = await OutreachProcess.serve({ ...env, ROLE: 'api', SHUTDOWN_DELAY_SECONDS: '5' });
    expect((await fetch(url('/health/ready'))).status).toBe(200);
    const agent = new Agent({ keepAlive: true });
    expect(await get(url('/v1/me'), { agent, headers: headers() })).toEqual({ status: 200, connection: 'keep-alive' });
    server.kill('SIGTERM');
    await eventually(async () => {
      const ready = await fetch(url('/health/ready'));
      expect({ status: ready.status, body: await ready.json() }).toEqual({
        status: 503,
        body: { status: 'stopping', checks: { database: true } },
      });
    });
    expect((await fetch(url('/health/live'))).status).toBe(200);
    expect(await get(url('/v1/me'), { agent, headers: headers() })).toEqual({ status: 200, connection: 'close' });
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(url('/health/live'))).rejects.toThrow();
  });

  it('finishes requests whose clients have closed their connections before it closes the database', async () => {
    server = await OutreachProcess.serve({ ...env, ROLE: 'api', STATEMENT_TIMEOUT_SECONDS: '60' });
    const lock = await BlockingTransaction.begin(database, 'LOCK TABLE contacts IN EXCLUSIVE MODE', []);
    const cut = ['a', 'b', 'c', 'd', 'e'].map((name) => {
      const options = { method: 'POST', headers: { ...headers(), 'idempotency-key': name } };
      const post = request(url('/v1/contacts'), options);
      post.on('error', () => undefined);
      return post.end(JSON.stringify({ email: `${name}@example.com` }));
    });
    await lock.blocks(cut.length);
    for (const each of cut) each.destroy();
    server.kill('SIGTERM');
    await eventually(() => expect(fetch(url('/health/live'))).rejects.toThrow());
    // A process that did not wait for them would have closed the database by then.
    await database.query('SELECT pg_sleep(1)');
    expect(server.hasEnded).toBe(false);
    await lock.end();
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    // Each response is stored by a statement of its own, after the transaction that has waited.
    const stored = await database.query('SELECT key, status FROM idempotency_keys ORDER BY key');
    expect(stored).toEqual(['a', 'b', 'c', 'd', 'e'].map((key) => ({ key, status: 201 })));
  });

  it('exits with 0 if the signal arrives during the start, while another process migrates the database', async () => {
    // The number of the lock is that in apply-migrations.ts.
    const lock = await BlockingTransaction.begin(database, 'SELECT pg_advisory_xact_lock(7203114)', []);
    server = new OutreachProcess(['serve'], env);
    await lock.blocks(1);
    server.kill('SIGTERM');
    await lock.end();
    expect(await server.ended).toEqual({ code: 0, stdout: '', stderr: '' });
    server = await OutreachProcess.serve(env);
    expect((await fetch(url('/health/ready'))).status).toBe(200);
  });
});

describe('a process that is asked to stop while its embedded database starts', () => {
  let directory: string;
  let env: Env;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'outreach-stop-'));
    env = { DATA_DIR: directory, PORT: await freePort(), LOG_LEVEL: 'warn' };
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['the data directory is locked', 'postgres.lock'],
    ['the cluster is created', 'postgres'],
    ['PostgreSQL has started', 'postgres/postmaster.pid'],
  ])('exits with 0 after %s, leaves no PostgreSQL behind, and starts later', async (_, file) => {
    const first = new OutreachProcess(['serve'], env);
    await eventually(() => expect(existsSync(join(directory, file))).toBe(true));
    first.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })).not.toContain(directory);
    const second = await OutreachProcess.serve(env);
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

/** Sends a request with the agent's connection. */
function get(
  url: string,
  options: { agent: Agent; headers: Record<string, string> },
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    });
    sent.once('error', reject).end();
  });
}
