import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { checkClock } from '../../src/app/doctor/database-checks.cross-tenant.js';
import { checkDns } from '../../src/app/doctor/network-checks.cross-tenant.js';
import { wallClock } from '../../src/platform/clock/index.js';
import { CommandRunner, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { FakeDns } from '../support/fake-dns.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';

const PASSWORD = 'p4ssw0rd';
const TIMED_OUT = 'no response within 5 seconds';
const MS_PER_HOUR = 3_600_000;

/** The name servers of the machine are not asked. */
const DNS_RESPONDS = `import { Resolver } from 'node:dns/promises'; Resolver.prototype.resolveNs = async () => []`;

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

describe('outreach doctor', () => {
  const commands = new CommandRunner(DNS_RESPONDS);
  // First, because it has connections to the database of the service.
  afterAll(() => commands.stop());
  const service = useService();
  let env: Record<string, string>;
  beforeAll(() => {
    const ENCRYPTION_KEY = service.config.encryption_key?.join(',') ?? '';
    env = { DATABASE_URL: service.database.url, ENCRYPTION_KEY, PUBLIC_URL: 'https://localhost' };
  });

  /** Repeated if a check of what responds has timed out, as on a machine that was paused. */
  const examine = (more: Record<string, string> = {}) =>
    eventually(async () => {
      const { code, stdout, stderr } = await commands.run(['doctor', '--json'], { ...env, ...more });
      const { status, checks } = JSON.parse(stdout) as { status: string; checks: Finding[] };
      expect(checks.map(({ message }) => message)).not.toContain(TIMED_OUT);
      return { code, stderr, status, checks, output: stdout + stderr };
    });
  const of = (checks: readonly Finding[], name: string) => checks.filter(({ check }) => check === name);
  const errors = (checks: readonly Finding[]) => checks.filter(({ status }) => status === 'error');
  const withUrl = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(service.database.url);
    change(url);
    return { DATABASE_URL: url.href };
  };

  it('reports without a worker a message that is due and not sent, accounts that are off, webhooks and events that fail', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    const { data: campaign } = await api.post('/campaigns', { name: 'C', steps: [{ subject: 'S', body: '<p>B</p>' }] });
    const [account] = (
      await Promise.all(
        [0, 1].map((n) =>
          api.post('/email-accounts', {
            name: `M${n}`,
            type: 'sendgrid',
            from_email: `a${n}@b.example`,
            from_name: 'A',
            sendgrid_api_key: 'SG.key',
          }),
        ),
      )
    ).map(({ data }) => data);
    const [contact] = await given.contacts(1);
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact] });
    await service.database.query(
      `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, email_account_id, next_attempt_at)
       SELECT workspace_id, campaign_id, id, contact_id, $1, now() - interval '1 hour' FROM enrollments`,
      [account.id],
    );
    await service.database.query(`UPDATE campaigns SET status = 'active'`);
    await service.database.query('UPDATE email_accounts SET is_active = FALSE WHERE id <> $1', [account.id]);
    await api.post('/webhooks', { url: 'https://example.com/hook', events: ['email.sent'] });
    await service.database.query(`UPDATE webhooks SET failure_count = 7, paused_until = now() + interval '1 hour'`);
    const [callback] = await service.database.query<{ id: string }>(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, attempts, received_at, next_attempt_at)
       VALUES ($1, 'sendgrid', '[]', 1, 1, now(), now() + interval '1 hour') RETURNING id`,
      [api.workspaceId],
    );
    const { code, checks } = await examine();
    expect(code).toBe(1);
    expect(errors(checks).map(({ message }) => message)).toEqual([
      'no worker runs: nothing is sent',
      expect.stringMatching(/^the oldest due message has waited for \d{4,} s$/),
      `events of providers that could not be recorded: 1 (${callback?.id} of workspace ${api.workspaceId})`,
    ]);
    const run = async (...args: string[]) =>
      JSON.parse((await commands.run(['callbacks', ...args, '--json'], env)).stdout);
    const mine = ['--workspace', `${api.workspaceId}`];
    const [listed, ...others] = await run('list', ...mine);
    expect([listed, others]).toEqual([
      expect.objectContaining({ workspace_id: api.workspaceId, id: Number(callback?.id), attempts: 1 }),
      [],
    ]);
    expect(await run('list', '--workspace', `${api.workspaceId + 1}`)).toEqual([]);
    expect(await run('retry', ...mine)).toEqual({ count: 1 });
    const [retried] = await run('list');
    expect(Date.parse(retried.next_attempt_at)).toBeLessThan(Date.parse(listed.next_attempt_at));
    expect(of(checks, 'accounts').map(({ status, message }) => [status, message])).toEqual([
      ['warning', expect.stringMatching(/^email accounts that are off: 1 \(\d+ of workspace \d+\)$/)],
      ['warning', expect.stringMatching(/^webhooks that are failing: 1 /)],
    ]);
    const deleted = await commands.run(['workspace', 'delete', `${api.workspaceId}`, '--yes'], env);
    expect(deleted).toMatchObject({ code: 0, stderr: '' });
  });

  it('finds no error while the service and a worker run, and exits with 0', async () => {
    await service.startWorker();
    const { code, stderr, checks } = await examine();
    expect(errors(checks)).toEqual([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect([...new Set(checks.map(({ check }) => check))]).toEqual(
      expect.arrayContaining([
        'settings',
        'disk',
        'database',
        'schema',
        'clock',
        'keys',
        'dns',
        'due work',
        'accounts',
      ]),
    );
    expect(of(checks, 'due work')).toContainEqual(expect.objectContaining({ message: '1 worker runs' }));
  });

  it('prints a line for each finding, with what to do below', async () => {
    const { code, stdout } = await commands.run(['doctor'], { ...env, PUBLIC_URL: 'http://localhost:3000' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning {2}settings +valid, but links in mail start with http:.*\n +→ Set PUBLIC_URL/);
  });

  it('names each setting that is wrong', async () => {
    const { code, checks } = await examine({ PORT: '70000', ROLE: 'both' });
    expect(code).toBe(1);
    expect(checks.map(({ check, status }) => [check, status])).toEqual([
      ['settings', 'error'],
      ['settings', 'error'],
    ]);
  });

  it('names an extension module that cannot be loaded', async () => {
    const { code, checks } = await examine({ OUTREACH_MODULES: './missing.js' });
    expect(code).toBe(1);
    expect(errors(checks)).toMatchObject([{ check: 'settings', message: expect.stringContaining('missing.js') }]);
    expect(of(checks, 'schema')).not.toHaveLength(0);
  });

  it('says that the password of the database is wrong, without printing it', async () => {
    const { code, checks, output } = await examine(withUrl((url) => (url.password = PASSWORD)));
    expect(code).toBe(1);
    expect(of(checks, 'database')).toMatchObject([
      { status: 'error', message: expect.stringContaining('password authentication failed') },
    ]);
    expect(of(checks, 'keys')).toMatchObject([{ status: 'warning', message: expect.stringContaining('not checked') }]);
    expect(output).not.toContain(PASSWORD);
    expect(output).not.toContain(env.ENCRYPTION_KEY);
  });

  it.each<[string, () => Record<string, string>]>([
    ['whose port is closed', () => withUrl((url) => (url.port = '1'))],
    ['that does not exist', () => withUrl((url) => (url.pathname = '/nowhere'))],
  ])('reports a database %s, and checks the rest', async (_case, change) => {
    const { code, checks } = await examine(change());
    expect(code).toBe(1);
    expect(errors(checks).map(({ check }) => check)).toEqual(['database']);
    expect(of(checks, 'dns')).not.toEqual([]);
  });

  describe('on servers that accept connections and never respond', () => {
    let silent: Server;
    let port: number;
    beforeAll(async () => {
      // Without a reader a socket stays open after its client has gone.
      silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      ({ port } = silent.address() as AddressInfo);
    });
    afterAll(() => silent.close());

    it('gives up each check after some seconds, and ends', async () => {
      const DATABASE_URL = `postgres://u:${PASSWORD}@127.0.0.1:${port}/d`;
      const REDIS_URL = `redis://:${PASSWORD}@127.0.0.1:${port}`;
      const process = new OutreachProcess(['doctor', '--json'], { ...env, DATABASE_URL, REDIS_URL });
      const { code, stdout, stderr } = await process.ended;
      const { checks } = JSON.parse(stdout) as { checks: Finding[] };
      expect(code).toBe(1);
      for (const name of ['database', 'redis'])
        expect(of(checks, name)).toMatchObject([{ status: 'error', message: TIMED_OUT }]);
      expect(stdout + stderr).not.toContain(PASSWORD);
    });
  });

  it('reports migrations that are missing, and applies none', async () => {
    const empty = await createTestDatabase('template1');
    const { code, checks } = await examine({ DATABASE_URL: empty.url });
    expect(code).toBe(1);
    expect(errors(checks)).toMatchObject([{ check: 'schema', message: 'no migration is applied' }]);
    expect(await empty.query(`SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
    // The process of the commands keeps its connections.
    await empty.disconnectAll();
    await empty.drop();
  });

  it('reports values that the configured keys do not decrypt', async () => {
    const api = await service.client();
    await api.post('/webhooks', { url: 'https://example.com/hook', events: ['email.sent'] });
    const { code, checks } = await examine({ ENCRYPTION_KEY: 'another key of the tests' });
    expect(code).toBe(1);
    expect(of(checks, 'keys')).toContainEqual(
      expect.objectContaining({
        status: 'error',
        message: expect.stringMatching(/^1 of 1 secrets of webhooks cannot/),
      }),
    );
  });

  it('reports a clock that differs from that of the database', async () => {
    const now = jest.spyOn(wallClock, 'now').mockImplementation(() => new Date(Date.now() + MS_PER_HOUR));
    const findings = await checkClock(service.app.get(DataSource, { strict: false })).run();
    now.mockRestore();
    expect(findings).toMatchObject([
      { status: 'error', message: expect.stringMatching(/^differs by 3\d{3}\.\d s from the database$/) },
    ]);
  });

  it('says that several name servers are silent before the time of the check is over', async () => {
    const silent = await Promise.all([1, 2, 3].map(() => FakeDns.start()));
    for (const dns of silent) dns.stopAnswering();
    const addresses = silent.map(({ address }) => address);
    const findings = await checkDns({ public_url: 'https://outreach.example' }, undefined, addresses).run();
    expect(findings.map(({ status, message }) => [status, message])).toEqual([
      ['error', 'no name server responds'],
      ['warning', 'outreach.example: no name server responds'],
    ]);
    await Promise.all(silent.map((dns) => dns.stop()));
  });

  it('says that a name server is silent, which is an error only if names are needed', async () => {
    const dns = await FakeDns.start();
    dns.stopAnswering();
    // Without the time limit of a check, which ends soon after the last query.
    const check = async (config: Parameters<typeof checkDns>[0]) =>
      (await checkDns(config, undefined, [dns.address]).run()).map(({ status, message }) => [status, message]);
    const [needed, unneeded, own] = await Promise.all([
      check({ public_url: 'https://outreach.example' }),
      check({ public_url: 'http://localhost:3000' }),
      check({ public_url: 'http://localhost:3000', dns_servers: [dns.address] }),
    ]);
    expect(needed).toContainEqual(['error', 'no name server responds']);
    expect(unneeded).toEqual([['warning', 'no name server responds']]);
    expect(own).toContainEqual(['warning', 'no server of DNS_SERVERS responds']);
    await dns.stop();
  });

  it('creates nothing in an empty directory, and says that there is no database', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'outreach-doctor-'));
    const DATA_DIR = join(directory, 'data');
    const { code, stdout } = await commands.run(['doctor', '--json'], { DATA_DIR });
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: Finding[] };
    expect(errors(checks)).toMatchObject([{ check: 'database', message: `there is no database in ${DATA_DIR} yet` }]);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });
});
