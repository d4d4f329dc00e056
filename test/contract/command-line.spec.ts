import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, outreach, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const directories: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-cli-'));
  directories.push(directory);
  return directory;
}

afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))));

/** A command is refused with one line for each mistake, and nothing on standard output. */
async function expectRefusal(args: string[], env: Record<string, string>, ...lines: RegExp[]): Promise<void> {
  const { code, stdout, stderr } = await outreach(args, env);
  expect({ args, code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
    args,
    code: 1,
    stdout: '',
    lines: lines.map((line) => expect.stringMatching(line)),
  });
}

describe('beside a server on the embedded database', () => {
  let env: Record<string, string>;
  let server: OutreachProcess;

  beforeAll(async () => {
    const DATA_DIR = join(await newDirectory(), 'made', 'on', 'demand');
    env = { DATA_DIR, PORT: await freePort(), LOG_LEVEL: 'warn' };
    server = await OutreachProcess.serve(env);
  });
  afterAll(() => server.stop());

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await outreach(args, env);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const status = async (token: string) =>
    (await fetch(`http://127.0.0.1:${env.PORT}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('the server says where it listens when it can answer, and nothing else', async () => {
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
    expect(server.stdout).toBe(`listening on http://localhost:${env.PORT}\n`);
    expect(server.stderr).toBe('');
  });

  it('commands create workspaces and tokens, which work at once, and revoke them', async () => {
    const workspace = await json('workspace', 'create', '--name', ' Été ');
    expect(workspace).toEqual({ id: expect.any(Number), name: 'Été' });
    const mine = ['--workspace', String(workspace.id)];
    const permissions = ['--permissions', 'contacts:read, campaigns:read'];
    const [all, some] = await Promise.all([
      json('token', 'create', ...mine, '--name', 'all'),
      json('token', 'create', ...mine, '--name', 'some', ...permissions, '--expires', '36h'),
    ]);
    expect(all).toEqual({ ...all, token: expect.stringMatching(/^out_[\w-]{40,}$/), expires_at: null });
    expect(all.permissions).toHaveLength(16);
    expect(some.permissions).toEqual(['contacts:read', 'campaigns:read']);
    expect(Date.parse(some.expires_at) - Date.now()).toBeGreaterThan(35.9 * 3_600_000);
    expect(Date.parse(some.expires_at) - Date.now()).toBeLessThanOrEqual(36 * 3_600_000);
    expect(await status(all.token)).toBe(200);

    expect(await json('token', 'revoke', String(all.id))).toEqual({ id: all.id });
    await eventually(async () => expect(await status(all.token)).toBe(401), 2);
    const [[listed], workspaces, migrated] = await Promise.all([
      json('token', 'list', ...mine),
      json('workspace', 'list'),
      json('migrate'),
    ]);
    expect({ ...listed, token: some.token }).toEqual({ ...some, name: 'some', last_used_at: null });
    expect(workspaces).toContainEqual({
      ...workspace,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(migrated).toEqual({ applied: [] });
  });

  it('commands tell people in plain text', async () => {
    const created = await run('workspace', 'create', '--name', 'Plain');
    expect(created).toMatch(/^Created workspace \d+: Plain\n$/);
    const mine = ['--workspace', /\d+/.exec(created)?.[0] ?? ''];
    const [issued, listed] = await Promise.all([
      run('token', 'create', ...mine, '--name', 'ci'),
      run('workspace', 'list'),
    ]);
    expect(issued).toMatch(/\nout_[\w-]{40,}\n$/);
    expect(listed).toMatch(/^ID .*\n(.*\n)*\d+ .*Plain\n$/);
  });

  it('commands refuse what is wrong with one line', async () => {
    const create = ['token', 'create', '--name', 'x', '--workspace'];
    await Promise.all([
      expectRefusal(['token', 'revoke', '999999'], env, /Token 999999 not found/),
      expectRefusal(['token', 'list', '--workspace', '999999', '--json'], env, /Workspace not found/),
      expectRefusal(
        [...create, '1', '--permissions', 'contacts:read,everything'],
        env,
        /"everything" is not a permission/,
      ),
    ]);
    await Promise.all([
      expectRefusal([...create, '1', '--expires', '30y'], env, /'--expires <lifetime>'.*30d/),
      expectRefusal([...create, '0'], env, /'--workspace <id>'.*positive whole number/),
      expectRefusal(['workspace', 'create'], env, /--name/),
      expectRefusal(['launch'], env, /unknown command/),
    ]);
  });

  it('a second server is refused and does not disturb the first', async () => {
    await Promise.all([
      expectRefusal(['serve'], { ...env, PORT: await freePort() }, /data directory .* is used by another process/),
      expectRefusal(['serve'], { ...env, DATA_DIR: await newDirectory() }, /port \d+: another process uses this port/),
    ]);
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
  });
});

describe('a server on the embedded database', () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = { DATA_DIR: await newDirectory(), PORT: await freePort(), LOG_LEVEL: 'warn' };
  });

  it('answers what it has begun to receive before it stops, and keeps its data', async () => {
    const server = await OutreachProcess.serve(env);
    const { id } = JSON.parse((await outreach(['workspace', 'create', '--name', 'kept', '--json'], env)).stdout);
    const created = await outreach(['token', 'create', '--workspace', `${id}`, '--name', 'x', '--json'], env);
    const body = JSON.stringify({ name: 'slow', permissions: ['contacts:read'] });
    const unused = connect(Number(env.PORT), '127.0.0.1');
    const slow = connect(Number(env.PORT), '127.0.0.1');
    await Promise.all([once(unused, 'connect'), once(slow, 'connect')]);
    slow.write(
      `POST /v1/tokens HTTP/1.1\r\nHost: outreach\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        `Expect: 100-continue\r\nAuthorization: Bearer ${JSON.parse(created.stdout).token}\r\n\r\n`,
    );
    await once(slow, 'data');
    server.kill('SIGTERM');
    await once(unused, 'close');
    await expect(fetch(`http://127.0.0.1:${env.PORT}/health/live`)).rejects.toThrow();
    slow.write(body);
    const [response] = (await once(slow, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1.1 201 [^]*\r\nConnection: close\r\n/);
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });

    const alone = await outreach(['token', 'list', '--workspace', `${id}`, '--json'], env);
    expect(JSON.parse(alone.stdout)).toMatchObject([{ name: 'x' }, { name: 'slow' }]);
  });

  it('ends at once when it is asked a second time', async () => {
    const server = await OutreachProcess.serve(env);
    const unfinished = connect(Number(env.PORT), '127.0.0.1');
    unfinished.write('POST /u/x HTTP/1.1\r\nHost: outreach\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n');
    await once(unfinished, 'data');
    const ended = eventually(() => {
      server.kill('SIGINT');
      expect(server.hasEnded).toBe(true);
    });
    expect((await server.ended).code).toBe(130);
    await ended;
  });

  it('ends with one line when its database does, and starts again', async () => {
    const worker = await OutreachProcess.serve({ ...env, ROLE: 'worker', LOG_LEVEL: 'fatal' });
    expect(worker.stdout).toBe('worker running\n');
    const [pid] = (await readFile(join(env.DATA_DIR ?? '', 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    expect(await worker.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PostgreSQL ended.*\n$/) });
    const list = await outreach(['workspace', 'list', '--json'], env);
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'kept' }]);
  });

  it('logs requests without the tokens in their paths, and an error that nobody caught, which ends it', async () => {
    const fault = `process.on('SIGUSR2', () => Promise.reject(Error('forgotten')))`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(fault)}`;
    const server = await OutreachProcess.serve({ ...env, NODE_OPTIONS, LOG_LEVEL: 'info' });
    await fetch(`http://127.0.0.1:${env.PORT}/u/AQHzZ5bWz3kXkQ2q9c0mWf1x`, { headers: { 'x-request-id': 'mine' } });
    server.kill('SIGUSR2');
    const { code, stderr } = await server.ended;
    const [request, error, notice] = stderr.trim().split('\n');
    expect(code).toBe(1);
    expect(JSON.parse(request ?? '')).toMatchObject({ request_id: 'mine', path: '/u/[hidden]', status: 404 });
    expect(JSON.parse(error ?? '')).toMatchObject({ level: 'error', error: { message: 'forgotten' } });
    expect(notice).toMatch(/uncaught error/);
  });

  // An ordinary user runs all of this file as one.
  const asRoot = (name: string, test: () => Promise<void>): void => {
    if (isRoot) it(name, test);
  };
  asRoot('runs as an ordinary user, too', async () => {
    const directory = await newDirectory();
    await chown(directory, NOBODY, NOBODY);
    const user = { uid: NOBODY, gid: NOBODY };
    const own = { ...env, DATA_DIR: join(directory, 'data') };
    const server = await OutreachProcess.serve(own, user);
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });

    const closed = join(directory, 'closed');
    await mkdir(closed);
    const { code, stderr } = await new OutreachProcess(['serve'], { ...env, DATA_DIR: closed }, user).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^The data directory .*denied.*\n$/) });
  });

  it('takes settings from .env in the working directory, which the environment overrules', async () => {
    const directory = await newDirectory();
    await writeFile(join(directory, '.env'), `DATA_DIR=${directory}/data\nROLE=nonsense\n`);
    const migrate = (more: Record<string, string>) =>
      new OutreachProcess(['migrate', '--json'], { LOG_LEVEL: 'warn', ...more }, { cwd: directory }).ended;
    expect(await migrate({})).toMatchObject({ code: 1, stderr: expect.stringMatching(/^ROLE must be one of .*\n$/) });
    const { stdout, stderr } = await migrate({ ROLE: 'api' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).applied).toContain('Initial1795200000000');
    expect(await readFile(join(directory, 'data', 'postgres', 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
  });
});

describe('on a database of one’s own', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use', PORT: await freePort() };
  });
  afterAll(() => database.drop());

  const at = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(database.url);
    change(url);
    return { ...env, DATABASE_URL: url.href };
  };

  it('the start is refused with one line for every mistake', async () => {
    const keyless = { ...env, ENCRYPTION_KEY: '' };
    const wrong = { ...env, PORT: '70000', ROLE: 'both', TRUST_PROXY: 'everyone' };
    await Promise.all([
      expectRefusal(['serve'], keyless, /^ENCRYPTION_KEY is required/),
      expectRefusal(['serve'], wrong, /^PORT must/, /^ROLE must/, /^TRUST_PROXY must/),
      expectRefusal(['serve'], { ...env, HOST: '192.0.2.1' }, /Cannot listen on 192\.0\.2\.1.*no such address/),
    ]);
    await Promise.all([
      expectRefusal(
        ['serve'],
        at((url) => (url.pathname = '/nowhere')),
        /database nowhere .* does not exist/,
      ),
      expectRefusal(
        ['migrate'],
        at((url) => (url.port = '1')),
        /database \S+ at [^ :]+:1: .*ECONNREFUSED/,
      ),
      expectRefusal(
        ['serve'],
        at((url) => (url.username = 'nobody_such')),
        /password authentication failed/,
      ),
      expectRefusal(['serve'], { ...env, REDIS_URL: 'redis://127.0.0.1:1' }, /Redis at 127\.0\.0\.1:1: .*ECONNREFUSED/),
    ]);
  });

  it('the start is refused on a PostgreSQL older than 14', async () => {
    const old = await createTestDatabase();
    const { pathname } = new URL(old.url);
    await old.query(`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE $1 WHEN 'server_version_num' THEN '130014' WHEN 'server_version' THEN '13.14'
             ELSE pg_catalog.current_setting($1, true) END $$`);
    await old.query(`ALTER DATABASE ${pathname.slice(1)} SET search_path = public, pg_catalog`);
    await expectRefusal(['serve'], { ...env, DATABASE_URL: old.url }, /PostgreSQL 14 or newer .* 13\.14/);
    await old.drop();
  });

  it('several processes run, and every command works', async () => {
    const [api, worker] = await Promise.all([
      OutreachProcess.serve({ ...env, ROLE: 'api', PUBLIC_URL: 'https://outreach.example/' }),
      OutreachProcess.serve({ ...env, ROLE: 'worker' }),
    ]);
    expect(api.stdout).toBe('listening on https://outreach.example\n');
    expect(worker.stdout).toBe('worker running\n');
    const created = await outreach(['workspace', 'create', '--name', 'x', '--json'], env);
    expect(JSON.parse(created.stdout)).toEqual({ id: expect.any(Number), name: 'x' });
    expect((await Promise.all([api.stop(), worker.stop()])).map(({ code }) => code)).toEqual([0, 0]);
  });
});
