import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRunner, freePort, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';

const CONTACTS = 12;

const commands = new CommandRunner();
const directories: string[] = [];
afterAll(async () => {
  commands.stop();
  await Promise.all(directories.map((each) => rm(each, { recursive: true, force: true })));
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-first-'));
  directories.push(directory);
  return join(directory, 'data');
}

describe('outreach init', () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = { DATA_DIR: await newDirectory(), PORT: await freePort() };
  });

  it('creates the database, a workspace and a token that the service accepts, and says what is next', async () => {
    const { code, stdout, stderr } = await commands.run(['init'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [token] = /^out_[\w-]{43}$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^Created workspace 1: My workspace\nToken 1 has all permissions .* only once:\nout_/);
    const server = await OutreachProcess.serve({ ...env, LOG_LEVEL: 'error' });
    const [, authorization = '', url = ''] = /curl -H '(.*)' (http\S+)$/m.exec(stdout) ?? [];
    const me = await fetch(url, { headers: { authorization: authorization.replace('Authorization: ', '') } });
    expect([authorization, me.status]).toEqual([`Authorization: Bearer ${token}`, 200]);
    await server.stop();
  });

  it('refuses a second workspace with the same name, and creates one with another name', async () => {
    const again = await commands.run(['init'], env);
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Workspace 1 has the name "My workspace" .* "outreach token create --workspace 1 .*\n$/,
      ),
    });
    const { stdout } = await commands.run(['init', '--name', 'Trials', '--sandbox', '--json'], env);
    expect(JSON.parse(stdout)).toEqual({
      workspace: { id: 2, name: 'Trials', is_sandbox: true },
      token: {
        ...{ id: 2, token: expect.stringMatching(/^out_/), expires_at: null },
        permissions: expect.arrayContaining(['contacts:read']),
      },
    });
    const list = await commands.run(['workspace', 'list', '--json'], env);
    expect(JSON.parse(list.stdout)).toHaveLength(2);
  });
});

describe('outreach try', () => {
  let env: Record<string, string>;
  let trial: OutreachProcess;
  beforeAll(async () => {
    env = { DATA_DIR: await newDirectory(), PORT: await freePort() };
  });

  async function begin(): Promise<string> {
    trial = new OutreachProcess(['try'], env);
    await trial.prints(/To delete it: .*\n/);
    expect(trial.stderr).toBe('');
    return trial.stdout;
  }
  /** Runs a line with curl that the command has printed. */
  async function pasted(text: string, path: string) {
    const line = text.split('\n').find((each) => each.includes('curl') && each.endsWith(path)) ?? '';
    const [url = ''] = /http\S+$/.exec(line) ?? [];
    const headers = [...line.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name = '', value = '']) => [name, value]);
    const [, body] = /-d '([^']*)'/.exec(line) ?? [];
    const response = await fetch(url, {
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body !== undefined && { method: 'POST', body }),
    });
    expect(response.ok).toBe(true);
    return (await response.json()) as { data: unknown; meta: { total: number } };
  }
  const tokenOf = (text: string) => /out_[\w-]{43}/.exec(text)?.[0];
  const end = async () => {
    trial.kill('SIGINT');
    expect(await trial.ended).toMatchObject({ code: 0, stderr: '' });
  };

  let first: string;

  it('serves a sandbox whose campaign sends to its contacts, and whose clock leads to the follow-ups', async () => {
    first = await begin();
    expect((await fetch(`http://localhost:${env.PORT}/docs`)).status).toBe(200);
    const sent = async () => (await pasted(first, '/v1/sandbox/messages')).meta.total;
    // The address of one is refused by the server.
    await eventually(async () => expect(await sent()).toBeGreaterThanOrEqual(CONTACTS - 1));
    const before = await sent();
    await pasted(first, '/v1/sandbox/clock');
    await eventually(async () => expect(await sent()).toBeGreaterThan(before));
  });

  it('keeps its token where only its owner may read it, and goes on with it', async () => {
    const file = join(env.DATA_DIR ?? '', 'try.json');
    expect([(await stat(file)).mode & 0o777, JSON.parse(await readFile(file, 'utf8'))]).toEqual([
      0o600,
      { workspace_id: 1, token: tokenOf(first) },
    ]);
    await end();
    expect(await begin()).toBe(first);
  });

  it('makes a new token in the same workspace if the first one is revoked', async () => {
    await commands.run(['token', 'revoke', '1'], env);
    await end();
    const text = await begin();
    expect(tokenOf(text)).not.toBe(tokenOf(first));
    expect(text).toMatch(/Workspace +1, /);
    expect((await pasted(text, '/v1/sandbox/messages')).meta.total).toBeGreaterThan(0);
    await end();
  });

  it('leaves a database of DATABASE_URL alone', async () => {
    const { code, stdout, stderr } = await commands.run(['try'], { ...env, DATABASE_URL: 'postgres://one/two' });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^DATABASE_URL is set, .*"outreach init --sandbox"\.\n$/),
    });
  });
});

describe('outreach demo --keep', () => {
  it('leaves its database, also after an interruption, and says how to use it', async () => {
    const demo = new OutreachProcess(['demo', '--keep'], {});
    await demo.prints(/workspace "Demo"/);
    demo.kill('SIGINT');
    const { code, stdout } = await demo.ended;
    const [, directory = ''] = /^The database stays in (\S+)\./m.exec(stdout) ?? [];
    directories.push(directory);
    expect([code, stdout]).toEqual([130, expect.stringContaining(`DATA_DIR=${directory} outreach serve`)]);
    const list = await commands.run(['workspace', 'list', '--json'], { DATA_DIR: directory });
    expect(JSON.parse(list.stdout)).toMatchObject([{ id: 1, name: 'Demo' }]);
  });
});
