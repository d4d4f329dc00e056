import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandRunner, freePort, outreach, OutreachProcess, type ProcessResult } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';

type Env = Record<string, string>;

const directories: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-terminal-'));
  directories.push(directory);
  return directory;
}

afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))));

/** Exit code 1, one line on standard error, and nothing on standard output. */
function expectRefusal({ code, stdout, stderr }: ProcessResult, line: RegExp): void {
  expect({ code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 1,
    stdout: '',
    lines: [expect.stringMatching(line)],
  });
}

describe('outreach without a database', () => {
  const commands = new CommandRunner();
  afterAll(() => commands.stop());

  it.each([
    'workspace list',
    'workspace create --name x',
    'workspace rename 1 --name x',
    'workspace delete 1 --yes',
    'token list --workspace 1',
    'token create --workspace 1 --name x',
    'token revoke 1',
    'blacklist list --workspace 1',
    'blacklist remove ada@example.com --workspace 1',
    'marketplace import .',
    'keys rotate',
  ])('`outreach %s` creates nothing and says what creates one', async (command) => {
    const directory = await newDirectory();
    const DATA_DIR = join(directory, 'data');
    expectRefusal(await commands.run(command.split(' '), { DATA_DIR }), /no database in .* "outreach migrate"/);
    expect(await readdir(directory)).toEqual([]);
  });

  it('an empty database of DATABASE_URL stays empty', async () => {
    const empty = await createTestDatabase('template1');
    const env = { DATABASE_URL: empty.url, ENCRYPTION_KEY: 'a key that only tests use' };
    expectRefusal(await commands.run(['workspace', 'list'], env), /lacks \d+ migrations .* "outreach migrate"/);
    expect(await empty.query(`SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
    await empty.drop();
  });
});

describe('outreach in a terminal', () => {
  let env: Env;
  beforeEach(async () => {
    env = { DATA_DIR: join(await newDirectory(), 'data'), PORT: await freePort() };
  });

  const postgresOf = async (directory: string): Promise<string[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return lines.filter((line) => line.includes(directory) && !line.includes('outreach.js'));
  };

  it.each([0, 400, 1_000])(
    'a terminal that is closed %d ms after the start ends the first start and leaves nothing running',
    async (milliseconds) => {
      const server = new OutreachProcess(['serve'], env, { detached: true });
      await pause(milliseconds);
      // The terminal sends the signal to all processes of its group; then nothing can be written to it.
      server.closeTerminal();
      expect((await server.ended).code === 0 || server.wasKilledBy('SIGHUP')).toBe(true);
      expect(await postgresOf(env.DATA_DIR ?? '')).toEqual([]);
      const again = await OutreachProcess.serve(env);
      expect(await again.stop()).toMatchObject({ code: 0 });
    },
  );

  it('a terminal that is closed stops a running service like SIGTERM, even if it is closed twice', async () => {
    const server = await OutreachProcess.serve(env, { detached: true });
    server.closeTerminal();
    server.closeTerminal();
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await postgresOf(env.DATA_DIR ?? '')).toEqual([]);
    expect(await readdir(join(env.DATA_DIR ?? '', 'postgres'))).not.toContain('postmaster.pid');
  });

  it('a command that runs the database for itself stops it when it is interrupted', async () => {
    await outreach(['migrate'], env);
    // Each connection takes two seconds, so that the command has not ended before it is interrupted.
    await appendFile(join(env.DATA_DIR ?? '', 'postgres', 'postgresql.conf'), '\npost_auth_delay = 2s\n');
    const command = new OutreachProcess(['migrate'], env);
    await eventually(async () => expect(await postgresOf(env.DATA_DIR ?? '')).not.toEqual([]));
    command.kill('SIGINT');
    expect((await command.ended).code).toBe(130);
    expect(await postgresOf(env.DATA_DIR ?? '')).toEqual([]);
  });

  it('the first start says what takes long, and LOG_FORMAT=pretty writes lines for people', async () => {
    const server = await OutreachProcess.serve({ ...env, LOG_FORMAT: 'pretty' });
    await fetch(`http://127.0.0.1:${env.PORT}/health/live`);
    const { stderr } = await server.stop();
    expect(stderr).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: Creating a PostgreSQL database in .*\n\[.*INFO: Applying \d+ migrations\n/,
    );
    expect(stderr).toMatch(/INFO: request .*"path":"\/health\/live"/);
  });

  it('`/` leads a browser to the reference; everything else gets the error envelope', async () => {
    const server = await OutreachProcess.serve({ ...env, LOG_LEVEL: 'warn' });
    const get = (path: string, accept: string) =>
      fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { accept }, redirect: 'manual' });
    const home = await get('/', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([home.status, home.headers.get('location')]).toEqual([302, 'docs']);
    for (const [path, accept] of [
      ['/', '*/*'],
      ['/', 'application/json'],
      ['/nowhere', 'text/html'],
    ] as const) {
      const response = await get(path, accept);
      expect([response.status, await response.json()]).toMatchObject([404, { error: 'HttpError' }]);
    }
    await server.stop();
  });

  it('prints its version', async () => {
    const { stdout } = await outreach(['--version'], {});
    const file = join(import.meta.dirname, '../../package.json');
    expect(stdout).toBe(`${JSON.parse(await readFile(file, 'utf8')).version}\n`);
  });

  it.each(['/nowhere/at/all', '/proc/version'])('refuses to serve with TMPDIR=%s, with one line', async (TMPDIR) => {
    expectRefusal(await outreach(['serve'], { ...env, TMPDIR }), /temporary files .* Set TMPDIR/);
  });
});

describe('outreach on a version of Node', () => {
  const runOn = async (version: string): Promise<ProcessResult> => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    return outreach(['--version'], { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(old)}` });
  };

  it.each(['0.12.18', '18.20.8', '20.18.3', '21.7.3', '22.12.0'])(
    '%s says in one line what it needs',
    async (version) => {
      expectRefusal(await runOn(version), /^Node \S+ is too old: install Node 22\.13 or newer, or 20\.19/);
    },
  );

  it.each(['20.19.0', '22.13.0', '23.0.0', '24.1.0'])('%s starts', async (version) => {
    expect(await runOn(version)).toMatchObject({ code: 0, stderr: '' });
  });
});
