import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CommandRunner,
  freePort,
  moduleOf,
  outreach,
  OutreachProcess,
  type ProcessResult,
} from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { logLines } from '../support/log-lines.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const describeAsRoot = (title: string, tests: () => void): void => {
  if (isRoot) describe(title, tests);
};

const itAsRoot = (title: string, test: () => Promise<void>): void => {
  if (isRoot) it(title, test);
};

type Env = Record<string, string>;

const commands = new CommandRunner();
afterAll(() => commands.stop());

const directories: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-cli-'));
  directories.push(directory);
  return directory;
}

afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))));

/** Exit code 1, one line on standard error for each mistake, and nothing on standard output. */
function expectRefusal({ code, stdout, stderr }: ProcessResult, ...lines: RegExp[]): void {
  expect({ code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 1,
    stdout: '',
    lines: lines.map((line) => expect.stringMatching(line)),
  });
}

describe('outreach on the embedded database', () => {
  let env: Env;
  let server: OutreachProcess;

  beforeAll(async () => {
    const DATA_DIR = join(await newDirectory(), 'made', 'on', 'demand');
    env = { DATA_DIR, PORT: await freePort(), LOG_LEVEL: 'warn' };
    server = await OutreachProcess.serve({ ...env, LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' });
  });
  afterAll(() => server.stop());

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await commands.run(args, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const health = async (path: string) => (await fetch(`http://127.0.0.1:${env.PORT}/health/${path}`)).status;
  const statusFor = async (token: string) =>
    (await fetch(`http://127.0.0.1:${env.PORT}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  describe('while a server runs', () => {
    it('has a server that prints only its address, when it is ready', async () => {
      expect(await health('ready')).toBe(200);
      expect(server.stdout).toBe(`listening on http://localhost:${env.PORT}\n`);
    });

    it('has logged what takes long in the first start, and LOG_FORMAT=pretty writes lines for people', async () => {
      await health('live');
      await server.prints(/INFO: request .*"path":"\/health\/live"/);
      expect(server.stderr).toMatch(
        /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: Creating a PostgreSQL database in .*\n\[.*INFO: Applying \d+ migrations\n/,
      );
    });

    it('`/` leads a browser to the reference, other paths to a page; programs get the error envelope', async () => {
      const get = (path: string, accept: string) =>
        fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { accept }, redirect: 'manual' });
      const home = await get('/', 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([home.status, home.headers.get('location')]).toEqual([302, 'docs']);
      for (const [path, accept] of [
        ['/', '*/*'],
        ['/', 'application/json'],
        ['/nowhere', 'application/json'],
      ] as const) {
        const response = await get(path, accept);
        expect([response.status, await response.json()]).toMatchObject([404, { error: 'HttpError' }]);
      }
      const page = await get('/nowhere', 'text/html');
      expect([page.status, page.headers.get('content-type')]).toEqual([404, expect.stringMatching(/^text\/html/)]);
    });

    it('creates workspaces and tokens that the server accepts immediately, and revokes tokens', async () => {
      const workspace = await json('workspace', 'create', '--name', ' Été ');
      expect(workspace).toEqual({ id: expect.any(Number), name: 'Été' });
      const mine = ['--workspace', String(workspace.id)];
      const permissions = ['--permissions', 'contacts:read, campaigns:read'];
      const all = await json('token', 'create', ...mine, '--name', 'all');
      const createdAt = Date.now();
      const some = await json('token', 'create', ...mine, '--name', 'some', ...permissions, '--expires', '36h');
      expect(all).toEqual({ ...all, token: expect.stringMatching(/^out_[\w-]{40,}$/), expires_at: null });
      expect(all.permissions).toHaveLength(16);
      expect(some.permissions).toEqual(['contacts:read', 'campaigns:read']);
      // Between the moments before and after the command.
      expect(Date.parse(some.expires_at) - 36 * 3_600_000).toBeGreaterThanOrEqual(createdAt);
      expect(Date.parse(some.expires_at) - 36 * 3_600_000).toBeLessThanOrEqual(Date.now());
      expect(await statusFor(all.token)).toBe(200);

      expect(await json('token', 'revoke', String(all.id))).toEqual({ id: all.id });
      expect(await statusFor(all.token)).toBe(401);
      const [listed] = await json('token', 'list', ...mine);
      expect({ ...listed, token: some.token }).toEqual({ ...some, name: 'some', last_used_at: null });
      expect(await json('workspace', 'list')).toContainEqual({
        ...workspace,
        is_sandbox: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(await json('migrate')).toEqual({ applied: [] });
    });

    it('creates sandbox workspaces, which the list and GET /me show as such', async () => {
      const { id } = await json('workspace', 'create', '--name', 'Trials', '--sandbox');
      const { id: real } = await json('workspace', 'create', '--name', 'Real');
      const listed: { id: number; is_sandbox: boolean }[] = await json('workspace', 'list');
      const isSandbox = new Map(listed.map((each) => [each.id, each.is_sandbox]));
      expect([isSandbox.get(id), isSandbox.get(real)]).toEqual([true, false]);
      expect(await run('workspace', 'list')).toMatch(new RegExp(`\\n${id} +\\S+ +sandbox +Trials\\n`));
      const more = await run('workspace', 'create', '--name', 'More', '--sandbox');
      expect(more).toMatch(/^Created sandbox workspace \d+: More\n$/);
      for (const each of [id, real, /\d+/.exec(more)?.[0]]) await run('workspace', 'delete', `${each}`, '--yes');
    });

    it('renames workspaces, and lists and removes their blacklist entries', async () => {
      const { id } = await json('workspace', 'create', '--name', 'Before');
      expect(await json('workspace', 'rename', `${id}`, '--name', ' After ')).toEqual({ id, name: 'After' });
      const mine = ['--workspace', `${id}`];
      const { token } = await json('token', 'create', ...mine, '--name', 'x');
      const response = await fetch(`http://127.0.0.1:${env.PORT}/v1/blacklist`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com' }),
      });
      expect(response.status).toBe(201);
      const entry = { id: expect.any(Number), email: 'ada@example.com', reason: 'manual' };
      expect(await json('blacklist', 'list', ...mine)).toEqual([{ ...entry, created_at: expect.any(String) }]);
      expect(await run('blacklist', 'list', ...mine)).toMatch(/manual +ada@example.com\n$/);
      expect(await json('blacklist', 'remove', 'Ada@example.com', ...mine)).toEqual({
        id: entry.id,
        email: entry.email,
      });
      expect(await json('blacklist', 'list', ...mine)).toEqual([]);
      expectRefusal(
        await commands.run(['blacklist', 'remove', entry.email, ...mine], env),
        /ada@example.com not found/,
      );
    });

    it('deletes workspaces with everything in them, after it has shown what that is', async () => {
      const { id } = await json('workspace', 'create', '--name', 'Gone');
      const { token } = await json('token', 'create', '--workspace', `${id}`, '--name', 'x');
      const rows = { workspaces: 1, api_tokens: 1 };
      const shown = await commands.run(['workspace', 'delete', `${id}`, '--json'], env);
      expect(shown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing was deleted\..*--yes\.\n$/) });
      expect(JSON.parse(shown.stdout)).toEqual({ id, name: 'Gone', would_delete: rows });
      const text = await commands.run(['workspace', 'delete', `${id}`], env);
      expect(text.stdout).toMatch(/Gone.*\nROWS +TABLE\n1 +api_tokens\n1 +workspaces\n$/);
      expect(await statusFor(token)).toBe(200);
      const { deleted, ...rest } = await json('workspace', 'delete', `${id}`, '--yes');
      expect({ deleted, rest }).toEqual({ deleted: expect.objectContaining(rows), rest: { id } });
      expect(await statusFor(token)).toBe(401);
      expect((await json('workspace', 'list')).map((each: { id: number }) => each.id)).not.toContain(id);
    });

    it('prints plain text without --json', async () => {
      const created = await run('workspace', 'create', '--name', 'Plain');
      expect(created).toMatch(/^Created workspace \d+: Plain\n$/);
      const issued = await run('token', 'create', '--workspace', /\d+/.exec(created)?.[0] ?? '', '--name', 'ci');
      expect(issued).toMatch(/\nout_[\w-]{40,}\n$/);
      expect(await run('workspace', 'list')).toMatch(/^ID .*\n(.*\n)*\d+ .*Plain\n$/);
    });

    const create = 'token create --name x --workspace';
    it.each([
      ['token revoke 999999', /Token 999999 not found/],
      ['workspace rename 999999 --name x', /Workspace not found/],
      ['workspace delete 999999', /Workspace not found/],
      ['workspace delete 999999 --yes', /Workspace not found/],
      ['blacklist list --workspace 999999', /Workspace not found/],
      ['token list --workspace 999999 --json', /Workspace not found/],
      [`${create} 1 --permissions contacts:read,everything`, /"everything" is not a permission/],
      [`${create} 1 --expires 30y`, /'--expires <lifetime>'.*30d/],
      [`${create} 0`, /'--workspace <id>'.*positive whole number/],
      ['workspace create', /--name/],
      ['launch', /unknown command/],
    ])('refuses `outreach %s` with one line', async (command, line) => {
      expectRefusal(await commands.run(command.split(' '), env), line);
    });

    it('refuses a second server on the same data directory', async () => {
      const second = await commands.run(['serve'], { ...env, PORT: await freePort() });
      expectRefusal(second, /data directory .* is used by another process/);
      expect(await health('ready')).toBe(200);
    });

    it('refuses a second server on the same port', async () => {
      const second = await commands.run(['serve'], { ...env, DATA_DIR: await newDirectory() });
      expectRefusal(second, /port \d+: another process uses this port/);
      expect(await health('ready')).toBe(200);
    });

    it('responds to a request that it is receiving when it is asked to stop, then stops and keeps its data', async () => {
      const { id } = await json('workspace', 'create', '--name', 'stored');
      const { token } = await json('token', 'create', '--workspace', `${id}`, '--name', 'x');
      const body = JSON.stringify({ name: 'slow', permissions: ['contacts:read'] });
      const unused = connect(Number(env.PORT), '127.0.0.1');
      const slow = connect(Number(env.PORT), '127.0.0.1');
      await Promise.all([once(unused, 'connect'), once(slow, 'connect')]);
      slow.write(
        `POST /v1/tokens HTTP/1.1\r\nHost: outreach\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
          `Expect: 100-continue\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      await once(slow, 'data');
      server.kill('SIGTERM');
      await once(unused, 'close');
      await expect(health('live')).rejects.toThrow();
      slow.write(body);
      const [response] = (await once(slow, 'data')) as [Buffer];
      expect(response.toString()).toMatch(/^HTTP\/1.1 201 [^]*\r\nConnection: close\r\n/);
      expect(await server.ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/ (WARN|ERROR|FATAL): /) });

      expect(await json('token', 'list', '--workspace', `${id}`)).toMatchObject([{ name: 'x' }, { name: 'slow' }]);
    });
  });

  describe('when a server runs again', () => {
    it('ends immediately when it is asked to stop a second time', async () => {
      server = await OutreachProcess.serve(env);
      expect(server.stderr).toBe('');
      const [{ id }] = await json('workspace', 'list');
      const { token } = await json('token', 'create', '--workspace', `${id}`, '--name', 'unfinished');
      const unfinished = connect(Number(env.PORT), '127.0.0.1').on('error', () => undefined);
      unfinished.write(
        'POST /v1/tokens HTTP/1.1\r\nHost: outreach\r\nContent-Type: application/json\r\nContent-Length: 9\r\n' +
          `Expect: 100-continue\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      await once(unfinished, 'data');
      const ended = eventually(() => {
        server.kill('SIGINT');
        expect(server.hasEnded).toBe(true);
      });
      expect((await server.ended).code).toBe(130);
      await ended;
    });

    it('ends a worker with one line when its database ends, and the data stays', async () => {
      server = await OutreachProcess.serve({ ...env, ROLE: 'worker', LOG_LEVEL: 'fatal' });
      expect(server.stdout).toBe('worker running\n');
      const [pid] = (await readFile(join(env.DATA_DIR ?? '', 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      expect(await server.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PostgreSQL ended.*\n$/) });
      expect(await json('workspace', 'list')).toMatchObject(
        ['Été', 'After', 'Plain', 'stored'].map((name) => ({ name })),
      );
    });

    it('logs requests without the tokens in their paths, and ends after an error that nothing caught', async () => {
      const rejection = `process.on('SIGUSR2', () => Promise.reject(Error('forgotten')))`;
      const NODE_OPTIONS = `--import ${moduleOf(rejection)}`;
      server = await OutreachProcess.serve({ ...env, NODE_OPTIONS, LOG_LEVEL: 'info' });
      await fetch(`http://127.0.0.1:${env.PORT}/u/AQHzZ5bWz3kXkQ2q9c0mWf1x`, { headers: { 'x-request-id': 'mine' } });
      await server.prints(/\/u\/\[hidden\]/);
      server.kill('SIGUSR2');
      const { code, stderr } = await server.ended;
      const [started, request, error, stopped] = logLines(stderr);
      expect(code).toBe(1);
      expect(started).toMatchObject({ msg: 'started', role: 'all', database: `embedded in ${env.DATA_DIR}` });
      expect(request).toMatchObject({ request_id: 'mine', path: '/u/[hidden]', status: 404 });
      expect(error).toMatchObject({ level: 'error', error: { message: 'forgotten' } });
      expect(stopped).toMatchObject({ msg: 'stopped' });
      expect(stderr).toMatch(/^The service .* uncaught error/m);
    });
  });

  // Without root the whole file runs as an ordinary user, and cannot start a process as another one.
  describeAsRoot('as another user than root', () => {
    const user = { uid: NOBODY, gid: NOBODY };
    let directory: string;
    beforeAll(async () => {
      directory = await newDirectory();
      await chown(directory, NOBODY, NOBODY);
    });

    it('serves', async () => {
      server = await OutreachProcess.serve({ ...env, DATA_DIR: join(directory, 'data') }, user);
      expect(await health('ready')).toBe(200);
      expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    });

    it('refuses a data directory that it may not write to', async () => {
      const DATA_DIR = join(directory, 'closed');
      await mkdir(DATA_DIR);
      const { code, stderr } = await new OutreachProcess(['serve'], { ...env, DATA_DIR }, user).ended;
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^The data directory .*denied.*\n$/) });
    });
  });

  describe('in a data directory that `outreach migrate` has created', () => {
    let directory: string;
    beforeAll(async () => {
      directory = await newDirectory();
      if (isRoot) await chown(directory, NOBODY, NOBODY);
    });

    it('reads .env in the working directory, and the environment takes precedence', async () => {
      await writeFile(join(directory, '.env'), `DATA_DIR=${directory}\nROLE=nonsense\n`);
      const migrate = (more: Env) =>
        commands.run(['migrate', '--json'], { LOG_LEVEL: 'warn', ...more }, { cwd: directory });
      expectRefusal(await migrate({}), /^ROLE must be one of /);
      const { stdout, stderr } = await migrate({ ROLE: 'api' });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout).applied).toContain('InitialSchema1795300000000');
      expect(await readFile(join(directory, 'postgres', 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
    });

    itAsRoot('serves for its owner after root has served there', async () => {
      for (const account of [{}, { uid: NOBODY, gid: NOBODY }]) {
        server = await OutreachProcess.serve({ ...env, DATA_DIR: directory }, account);
        expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
      }
    });
  });
});

describe('outreach on a database of DATABASE_URL', () => {
  let database: TestDatabase;
  let env: Env;
  beforeAll(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY: 'a key that only tests use', PORT: await freePort() };
  });
  afterAll(() => database.drop());

  const withUrl = (change: (url: URL) => void) => (): Env => {
    const url = new URL(database.url);
    change(url);
    return { DATABASE_URL: url.href };
  };

  it('refuses to start with one line for every wrong setting', async () => {
    const wrong = { ...env, PORT: '70000', ROLE: 'both', TRUST_PROXY: 'everyone' };
    expectRefusal(await commands.run(['serve'], wrong), /^PORT must/, /^ROLE must/, /^TRUST_PROXY must/);
  });

  it.each<[string, string, () => Env, RegExp]>([
    ['serve', 'without ENCRYPTION_KEY', () => ({ ENCRYPTION_KEY: '' }), /^ENCRYPTION_KEY is required/],
    [
      'serve',
      'on an address of another machine',
      () => ({ HOST: '192.0.2.1' }),
      /Cannot listen on 192\.0\.2\.1.*no such address/,
    ],
    [
      'serve',
      'on a missing database',
      withUrl((url) => (url.pathname = '/nowhere')),
      /database nowhere .* does not exist/,
    ],
    ['migrate', 'on a closed port', withUrl((url) => (url.port = '1')), /database \S+ at [^ :]+:1: .*ECONNREFUSED/],
    [
      'serve',
      'if QUEUE_DATABASE_URL leads to another database',
      () => ({ QUEUE_DATABASE_URL: new URL('/postgres', database.url).href }),
      /QUEUE_DATABASE_URL leads to postgres at 127\.0\.0\.1:\d+, which is another database than that of DATABASE_URL/,
    ],
    ['serve', 'as an unknown user', withUrl((url) => (url.username = 'nobody_such')), /password authentication failed/],
    [
      'serve',
      'without its Redis',
      () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
      /Redis at 127\.0\.0\.1:1: .*ECONNREFUSED/,
    ],
  ])('refuses to %s %s with one line', async (command, _case, change, line) => {
    expectRefusal(await commands.run([command], { ...env, ...change() }), line);
  });

  it('refuses a PostgreSQL older than 14', async () => {
    const old = await createTestDatabase();
    const { pathname } = new URL(old.url);
    await old.query(`CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE $1 WHEN 'server_version_num' THEN '130014' WHEN 'server_version' THEN '13.14'
             ELSE pg_catalog.current_setting($1, true) END $$`);
    await old.query(`ALTER DATABASE ${pathname.slice(1)} SET search_path = public, pg_catalog`);
    expectRefusal(await commands.run(['serve'], { ...env, DATABASE_URL: old.url }), /PostgreSQL 14 or newer .* 13\.14/);
    await old.drop();
  });

  it('runs an API and a worker as separate processes, and a command at the same time', async () => {
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
