import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { freePort, outreach, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { PgBouncer } from '../support/pgbouncer.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ENCRYPTION_KEY = 'a key that only tests use';

describe('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await PgBouncer.to(database.url, 'transaction');
    env = { DATABASE_URL: bouncer.urlThrough(database.url), ENCRYPTION_KEY, LOG_LEVEL: 'warn' };
  });
  beforeEach(async () => {
    env = { ...env, PORT: await freePort() };
  });
  afterAll(async () => {
    await bouncer.stop();
    await database.drop();
  });

  it.each([
    ['serve', 'all', {}],
    ['serve', 'api', {}],
    ['migrate', 'all', {}],
    ['serve', 'all', { QUEUE_DATABASE_URL: 'the pooler, too' }],
  ])('ends `outreach %s` with the role %s with one line that names the setting', async (command, ROLE, more) => {
    const queue: Record<string, string> =
      'QUEUE_DATABASE_URL' in more ? { QUEUE_DATABASE_URL: env.DATABASE_URL ?? '' } : {};
    const { code, stdout, stderr } = await outreach([command], { ...env, ROLE, ...queue });
    expect({ code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
      code: 1,
      stdout: '',
      lines: [expect.stringMatching(/pooler in transaction mode.*: set QUEUE_DATABASE_URL to the same database/)],
    });
  });

  it('serves with QUEUE_DATABASE_URL, in the executable', async () => {
    const server = await OutreachProcess.serve({ ...env, QUEUE_DATABASE_URL: database.url });
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['pooled', 'direct'])(
    'does not start if QUEUE_DATABASE_URL leads to another database (%s)',
    async (access) => {
      const other = await createTestDatabase();
      const DATABASE_URL = access === 'pooled' ? env.DATABASE_URL : database.url;
      const result = await outreach(['serve'], {
        ...env,
        DATABASE_URL: DATABASE_URL ?? '',
        QUEUE_DATABASE_URL: other.url,
      });
      await other.drop();
      expect(result).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^[^\n]*QUEUE_DATABASE_URL leads to test_\w+ at 127.0.0.1:\d+, which is another[^\n]*\n$/,
        ),
      });
    },
  );

  describe('with QUEUE_DATABASE_URL', () => {
    let service: TestService;
    let api: ApiClient;

    beforeAll(async () => {
      // Long enough for many requests at the same time, which wait for a connection, too.
      const settings = { ROLE: 'all', QUEUE_DATABASE_URL: database.url, STATEMENT_TIMEOUT_SECONDS: '4' };
      service = await startService(settings, { ...database, url: env.DATABASE_URL ?? '' });
      api = await service.client();
    });
    afterAll(() => service.stop());

    it('sends a campaign, and the queue wakes its worker', async () => {
      const sink = await MailSink.start();
      const given = new Given(api, service.database);
      await given.mailbox(sink);
      const contacts = await given.contacts(20);
      const campaign = await given.running(contacts);
      await eventually(() => expect(sink.mails).toHaveLength(20));
      await eventually(async () =>
        expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'completed' }),
      );
      await sink.stop();
    });

    it('runs requests at the same time, with prepared statements that some sessions do not have', async () => {
      const { body } = await api.post('/contacts', { email: 'ada@example.com' });
      const requests = Array.from({ length: 60 }, () => api.get(`/contacts/${body.id}`));
      for (const response of await Promise.all(requests)) expect(response.status).toBe(200);
    });

    it('cancels a statement and ends a wait for a lock at their time limits', async () => {
      await database.query('ALTER TABLE companies RENAME TO stored_companies');
      await database.query(
        'CREATE VIEW companies AS SELECT stored_companies.* FROM stored_companies, pg_sleep(60) AS slow',
      );
      try {
        const { status, body } = await api.get('/companies');
        expect([status, body.reason]).toEqual([429, 'busy']);
      } finally {
        await database.query('DROP VIEW companies');
        await database.query('ALTER TABLE stored_companies RENAME TO companies');
      }
      expect((await api.get('/companies')).data).toEqual([]);
      const lock = await BlockingTransaction.begin(database, 'LOCK TABLE contacts IN EXCLUSIVE MODE', []);
      expect((await api.post('/contacts', { email: 'grace@example.com' })).status).toBe(503);
      await lock.end();
      expect((await api.post('/contacts', { email: 'grace@example.com' })).status).toBe(201);
    });

    it('shows the other workers that its process lives, by the lock of a session', async () => {
      const locks = await database.query(
        `SELECT session.pid FROM pg_locks lock JOIN pg_stat_activity session USING (pid)
         WHERE lock.locktype = 'advisory' AND session.application_name = 'outreach worker session'`,
      );
      expect(locks).toHaveLength(1);
    });
  });
});

describe('PgBouncer in session mode', () => {
  it('serves the queues and the workers as well', async () => {
    const database = await createTestDatabase();
    const bouncer = await PgBouncer.to(database.url, 'session');
    const DATABASE_URL = bouncer.urlThrough(database.url);
    const env = { DATABASE_URL, ENCRYPTION_KEY, LOG_LEVEL: 'warn', PORT: await freePort() };
    const server = await OutreachProcess.serve(env);
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    await bouncer.stop();
    await database.drop();
  });
});
