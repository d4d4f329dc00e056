import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findRunning } from '@outreach/embedded-postgres';
import {
  CommandRunner,
  freePort,
  moduleOf,
  outreach,
  OutreachProcess,
  type ProcessResult,
} from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';

type Env = Record<string, string>;

const commands = new CommandRunner();
afterAll(() => commands.stop());

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
  const newEnv = async (): Promise<Env> => ({ DATA_DIR: join(await newDirectory(), 'data'), PORT: await freePort() });
  beforeAll(async () => {
    env = await newEnv();
  });

  const programsOf = async ({ DATA_DIR = '' }: Env): Promise<string[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return lines.filter((line) => line.includes(DATA_DIR) && !line.includes('outreach.js'));
  };
  /** Processes that the terminal has ended, too, may need a moment for that. */
  const nothingRuns = (of: Env) => eventually(async () => expect(await programsOf(of)).toEqual([]));

  // The later ones begin with what the earlier ones have left. A slow test may close the terminal later than its title says.
  it.each<[string, (server: OutreachProcess) => Promise<void>, () => Promise<Env>]>([
    ['immediately', () => Promise.resolve(), newEnv],
    [
      'while the database is created',
      (server) => server.prints(/Creating a PostgreSQL database|listening/),
      async () => env,
    ],
    ['while the database is migrated', (server) => server.prints(/Applying \d+ migrations|listening/), async () => env],
  ])('a terminal that is closed %s ends the first start and leaves nothing running', async (_when, moment, envOf) => {
    const own = await envOf();
    const server = new OutreachProcess(['serve'], own, { detached: true });
    await moment(server);
    // The terminal sends the signal to all processes of its group; then nothing can be written to it.
    server.closeTerminal();
    expect((await server.ended).code === 0 || server.wasKilledBy('SIGHUP')).toBe(true);
    await nothingRuns(own);
  });

  it('a terminal that is closed stops a running service like SIGTERM, even if it is closed twice', async () => {
    const server = await OutreachProcess.serve(env, { detached: true });
    await viewThatNeverEnds();
    server.closeTerminal();
    server.closeTerminal();
    expect(await server.ended).toMatchObject({ code: 0 });
    await nothingRuns(env);
    expect(await readdir(join(env.DATA_DIR ?? '', 'postgres'))).not.toContain('postmaster.pid');
  });

  /** Makes every command that reads the workspaces run until it is interrupted. */
  const viewThatNeverEnds = async () => {
    const client = new Client({ connectionString: await findRunning(env.DATA_DIR ?? '') });
    await client.connect();
    await client.query('ALTER TABLE workspaces RENAME TO all_workspaces');
    await client.query(
      'CREATE VIEW workspaces AS SELECT each.* FROM all_workspaces each RIGHT JOIN pg_sleep(86400) ON TRUE',
    );
    await client.end();
  };

  it('a command that runs the database for itself stops it when it is interrupted', async () => {
    const command = new OutreachProcess(['workspace', 'list'], env);
    await eventually(async () => expect(await programsOf(env)).not.toEqual([]));
    command.kill('SIGINT');
    expect((await command.ended).code).toBe(130);
    expect(await programsOf(env)).toEqual([]);
  });

  it('prints its version and its commit', async () => {
    const { stdout } = await outreach(['--version'], {});
    const file = join(import.meta.dirname, '../../package.json');
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
    expect(stdout.replace(/ \([0-9a-f]{7}\)$/m, '')).toBe(`outreach ${version}\n`);
  });

  it.each(['/nowhere/at/all', '/proc/version'])('refuses to serve with TMPDIR=%s, with one line', async (TMPDIR) => {
    expectRefusal(await commands.run(['serve'], { ...env, TMPDIR }), /temporary files .* Set TMPDIR/);
  });
});

describe('outreach on a version of Node', () => {
  const runOn = async (version: string): Promise<ProcessResult> => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    return outreach(['--version'], { NODE_OPTIONS: `--import ${moduleOf(old)}` });
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
