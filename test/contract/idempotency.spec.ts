import { Routes } from '@outreach/http-api/routes';
import { storedRows } from '../isolation/stored-rows.js';
import { WorkspaceFixture } from '../isolation/workspace-fixture.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService, type TestService, useService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';

const CONTACT = { email: 'ada@example.com', first_name: 'Ada' };
const KEY = { 'idempotency-key': 'once' };

const replayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');
const create = (api: ApiClient) => api.post('/contacts', CONTACT, KEY);
const total = async (api: ApiClient) => (await api.get('/contacts')).body.meta.total;
const lockContacts = (service: TestService) =>
  BlockingTransaction.begin(service.database, 'LOCK TABLE contacts IN EXCLUSIVE MODE', []);

describe('a POST with an Idempotency-Key whose process is killed', () => {
  const service = useService();
  let api: ApiClient;
  let process: ServiceProcess | undefined;
  beforeEach(async () => {
    api = await service.client();
  });
  afterAll(() => process?.kill());

  /** The process of the test before, if that one has not killed it. */
  const running = async (): Promise<ServiceProcess> =>
    (process = process?.isRunning ? process : await ServiceProcess.startApi(service));

  const through = (url: string) => new ApiClient(url, api.token, api.workspaceId);
  const isStored = () =>
    service.database.query(
      `SELECT 1 FROM idempotency_keys stored JOIN api_tokens token ON token.id = stored.token_id
       WHERE token.workspace_id = $1`,
      [api.workspaceId],
    );

  it('is done once if two processes receive it many times at once', async () => {
    const clients = [api, through((await running()).url)];
    const responses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => create(clients[n % clients.length] ?? api)),
    );
    const first = responses.filter((response) => response.status === 201 && !replayed(response));
    expect(first).toHaveLength(1);
    for (const { status, body } of responses) {
      expect([201, 409]).toContain(status);
      if (status === 201) expect(body).toEqual(first[0]?.body);
      else expect(body.message).toMatch(/still running/);
    }
    expect(await total(api)).toBe(1);
  });

  it('before the commit can be repeated as soon as its session ends, and is done once', async () => {
    const process = await running();
    const lock = await lockContacts(service);
    const lost = create(through(process.url));
    const failed = expect(lost).rejects.toThrow();
    await lock.blocks(1);
    expect(await create(api)).toMatchObject({ status: 409 });
    await process.kill();
    await failed;
    await lock.end();
    const repeated = await eventually(async () => {
      const response = await create(api);
      expect(response.status).toBe(201);
      return response;
    });
    expect([replayed(repeated), await total(api)]).toEqual([null, 1]);
  });

  it('after the commit, before it has responded, gets the response when it is repeated', async () => {
    const process = await running();
    const proxy = await BreakableProxy.to(process.url);
    try {
      const lock = await lockContacts(service);
      const lost = create(through(new URL(proxy.urlThrough(process.url)).origin));
      const failed = expect(lost).rejects.toThrow();
      await lock.blocks(1);
      proxy.hang();
      await lock.end();
      await eventually(async () => expect(await isStored()).toHaveLength(1));
      await process.kill();
      proxy.break();
      await failed;
      const repeated = await create(api);
      expect(repeated).toMatchObject({ status: 201, body: { email: CONTACT.email } });
      expect([replayed(repeated), await total(api)]).toEqual(['true', 1]);
    } finally {
      await proxy.stop();
    }
  });
});

describe('a POST with an Idempotency-Key whose database', () => {
  it('ends its connections gets 503, and is done once when it is repeated', async () => {
    const service = await startService({ LOG_LEVEL: 'silent' });
    try {
      const api = await service.client();
      const lock = await lockContacts(service);
      const first = create(api);
      await lock.blocks(1);
      await service.database.disconnectAll();
      expect((await first).status).toBe(503);
      await lock.end();
      // A session tells its client that it ends before it releases its locks.
      const repeated = await eventually(async () => {
        const response = await create(api);
        expect(response.status).toBe(201);
        return response;
      });
      expect([replayed(repeated), await total(api)]).toEqual([null, 1]);
    } finally {
      await service.stop();
    }
  });

  it('cannot be reached gets 503, and can be repeated at once when the database is back', async () => {
    const database = await createTestDatabase();
    const proxy = await BreakableProxy.to(database.url);
    const shared = { ...database, url: proxy.urlThrough(database.url) };
    const service = await startService({ LOG_LEVEL: 'silent' }, shared);
    try {
      const api = await service.client();
      const lock = await BlockingTransaction.begin(database, 'LOCK TABLE contacts IN EXCLUSIVE MODE', []);
      const first = create(api);
      await lock.blocks(1);
      proxy.break();
      expect((await first).status).toBe(503);
      await lock.end();
      proxy.restore();
      const repeated = await eventually(async () => {
        const response = await create(api);
        expect(response.status).toBe(201);
        return response;
      });
      expect([replayed(repeated), await total(api)]).toEqual([null, 1]);
    } finally {
      await service.stop();
      await proxy.stop();
      await database.drop();
    }
  });
});

interface KeyedCall {
  readonly path: string;
  readonly body?: object | FormData;
  /** SQL that makes the call possible. */
  readonly given?: string;
  /** The tables whose rows are written before the response is known, because a mail cannot be taken back. */
  readonly committedFirst?: readonly string[];
  /** Whether the route exists in sandboxes only. */
  readonly inSandbox?: boolean;
}

/** For each POST with an Idempotency-Key: a call that changes something, in an order in which all of them do. */
const CALLS: Readonly<Record<string, (own: WorkspaceFixture, contact: number) => KeyedCall>> = {
  '/contacts': () => ({ path: '/contacts', body: CONTACT }),
  '/contacts/bulk-upsert': () => ({
    path: '/contacts/bulk-upsert',
    body: { contacts: [{ email: 'bulk@example.com' }] },
  }),
  '/contacts/import': () => ({ path: '/contacts/import', body: importForm() }),
  '/contacts/:id/unsubscribe': (own) => ({ path: `/contacts/${own.id('/contacts/:id')}/unsubscribe` }),
  '/contacts/:id/resubscribe': (own) => ({ path: `/contacts/${own.id('/contacts/:id')}/resubscribe` }),
  '/contacts/:id/pause': (own) => ({
    path: `/contacts/${own.id('/contacts/:id')}/pause`,
    body: { until: new Date(Date.now() + 86_400_000).toISOString() },
  }),
  '/contacts/:id/resume': (own) => ({ path: `/contacts/${own.id('/contacts/:id')}/resume` }),
  '/companies': () => ({ path: '/companies', body: { name: 'New' } }),
  '/lists': () => ({ path: '/lists', body: { name: 'New' } }),
  '/lists/:id/contacts': (own, contact) => member(`/lists/${own.id('/lists/:id')}/contacts`, contact),
  '/tags': () => ({ path: '/tags', body: { name: 'New' } }),
  '/tags/:id/contacts': (own, contact) => member(`/tags/${own.id('/tags/:id')}/contacts`, contact),
  '/custom-fields': () => ({ path: '/custom-fields', body: { key: 'new', type: 'text' } }),
  '/segments': () => ({
    path: '/segments',
    body: { name: 'New', match_type: 'all', conditions: [{ field: 'first_name', operator: 'equals', value: 'Ada' }] },
  }),
  '/templates': () => ({ path: '/templates', body: { name: 'New', subject: 'New', body: '<p>New</p>' } }),
  '/templates/:id/duplicate': (own) => ({ path: `/templates/${own.id('/templates/:id')}/duplicate` }),
  '/marketplace/templates/:id/copy': (own) => ({
    path: `/marketplace/templates/${own.id('/marketplace/templates/:id')}/copy`,
  }),
  '/marketplace/packs/:id/copy': (own) => ({ path: `/marketplace/packs/${own.id('/marketplace/packs/:id')}/copy` }),
  '/blacklist': () => ({ path: '/blacklist', body: { email: 'blocked@example.com' } }),
  '/blacklist/bulk-create': () => ({ path: '/blacklist/bulk-create', body: { emails: ['also@example.com'] } }),
  '/tokens': () => ({ path: '/tokens', body: { name: 'New', permissions: ['contacts:read'] } }),
  '/inbound/rotate': () => ({ path: '/inbound/rotate' }),
  '/webhooks': () => ({ path: '/webhooks', body: { url: 'https://127.0.0.1:44443/new', events: ['contact.created'] } }),
  '/webhooks/:id/regenerate-secret': (own) => ({ path: `/webhooks/${own.id('/webhooks/:id')}/regenerate-secret` }),
  '/webhooks/:id/redeliver': (own) => ({
    path: `/webhooks/${own.id('/webhooks/:id')}/redeliver`,
    body: { from: '2026-01-01', to: '2036-01-01' },
  }),
  '/webhooks/:id/logs/:log/redeliver': (own) => ({
    path: `/webhooks/${own.id('/webhooks/:id')}/logs/${own.id('/webhooks/:id/logs/:log')}/redeliver`,
  }),
  '/email-accounts': () => ({
    path: '/email-accounts',
    body: {
      name: 'New',
      type: 'smtp',
      from_email: 'new@sender.example',
      from_name: 'New',
      smtp_host: '127.0.0.1',
      smtp_port: 2525,
      smtp_username: 'new',
      smtp_password: 'secret',
    },
  }),
  '/email-accounts/oauth/google': () => ({ path: '/email-accounts/oauth/google', body: { name: 'New' } }),
  '/email-accounts/oauth/microsoft': () => ({ path: '/email-accounts/oauth/microsoft', body: { name: 'New' } }),
  '/email-accounts/:id/set-default': (own) => ({
    path: `/email-accounts/${own.id('/email-accounts/:id')}/set-default`,
  }),
  '/email-accounts/:id/reset-counter': (own) => ({
    path: `/email-accounts/${own.id('/email-accounts/:id')}/reset-counter`,
  }),
  '/imports/:id/cancel': (own) => ({
    path: `/imports/${own.id('/imports/:id')}/cancel`,
    given: `UPDATE imports SET status = 'pending', completed_at = NULL, attempts = 0`,
  }),
  '/campaigns': () => ({ path: '/campaigns', body: { name: 'New' } }),
  '/campaigns/:id/steps': (own) => inCampaign(own, '/steps', { subject: 'New', body: '<p>New</p>' }),
  '/campaigns/:id/contacts': (own, contact) => inCampaign(own, '/contacts', { contact_ids: [contact] }),
  '/campaigns/:id/contacts/enroll-from-lists': (own) =>
    inCampaign(own, '/contacts/enroll-from-lists', {
      list_ids: [own.id('/lists/:id')],
      segment_ids: [own.id('/segments/:id')],
    }),
  '/campaigns/:id/start': (own) => inCampaign(own, '/start'),
  '/campaigns/:id/contacts/:contact/skip': (own, contact) => inCampaign(own, `/contacts/${contact}/skip`),
  '/campaigns/:id/contacts/:contact/move': (own, contact) =>
    inCampaign(own, `/contacts/${contact}/move`, { step_id: own.id('/campaigns/:id/steps/:step') }),
  '/campaigns/:id/steps/:step/test-send': (own) => ({
    ...inCampaign(own, `/steps/${own.id('/campaigns/:id/steps/:step')}/test-send`, { to: 'author@example.com' }),
    committedFirst: ['email_accounts'],
  }),
  '/sandbox/clock': () => ({ path: '/sandbox/clock', body: { advance_seconds: 60 }, inSandbox: true }),
  '/campaigns/:id/messages/:message/retry': (own) =>
    inCampaign(own, `/messages/${own.id('/campaigns/:id/messages/:message')}/retry`),
  '/campaigns/:id/messages/retry': (own) => ({
    ...inCampaign(own, '/messages/retry', { status: 'unknown' }),
    given: `
      WITH ended AS (DELETE FROM queued_messages WHERE workspace_id = ${own.api.workspaceId} RETURNING *)
      INSERT INTO messages (workspace_id, id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, status)
      SELECT workspace_id, id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, 'unknown' FROM ended;
      UPDATE contacts SET status = 'active' WHERE workspace_id = ${own.api.workspaceId};
      UPDATE enrollments enrollment SET status = 'in_progress', current_step_id = message.step_id FROM messages message
      WHERE message.workspace_id = enrollment.workspace_id AND message.enrollment_id = enrollment.id
        AND enrollment.workspace_id = ${own.api.workspaceId}`,
  }),
  '/campaigns/:id/pause': (own) => inCampaign(own, '/pause'),
  '/replies/:id/answer': (own) => ({
    path: `/replies/${own.id('/replies/:id')}/answer`,
    body: { body: '<p>Yes</p>' },
    given: `UPDATE contacts SET status = 'active' WHERE workspace_id = ${own.api.workspaceId}`,
  }),
  '/contacts/:id/erase': (_own, contact) => ({ path: `/contacts/${contact}/erase` }),
};

const member = (path: string, contact: number): KeyedCall => ({ path, body: { contact_ids: [contact] } });
const inCampaign = (own: WorkspaceFixture, path: string, body?: object): KeyedCall => ({
  path: `/campaigns/${own.id('/campaigns/:id')}${path}`,
  ...(body ? { body } : {}),
});

function importForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['email\nimported@example.com\n']), 'contacts.csv');
  return form;
}

/** API v1, "Rules for every endpoint": these ignore the key. */
const WITHOUT_KEY = /\/(preview|check|test)$/;

describe('a POST with an Idempotency-Key whose response cannot be stored', () => {
  const providers: OpenidProvider[] = [];
  const service = useService(async () => {
    const [google, microsoft] = [await OpenidProvider.start('google'), await OpenidProvider.start('microsoft')];
    providers.push(google, microsoft);
    return { LOG_LEVEL: 'silent', ...google.settings, ...microsoft.settings };
  });
  afterAll(async () => {
    for (const provider of providers) await provider.stop();
  });
  let own: WorkspaceFixture;
  let sandbox: WorkspaceFixture;
  let contact: number;
  beforeAll(async () => {
    sandbox = new WorkspaceFixture(await service.sandbox(), service.database, 'sandbox');
    own = await new WorkspaceFixture(await service.client(), service.database, 'mine').fill();
    contact = (await own.create('/contacts', { email: 'grace@example.com' })).id;
    const listed = await own.create('/contacts', { email: 'edsger@example.com' });
    await own.api.post(`/lists/${own.id('/lists/:id')}/contacts`, { contact_ids: [listed.id] });
    await service.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
  });

  const state = async ({ api } = own) => ({
    ...(await storedRows(service.database, api.workspaceId)),
    inbound: (await api.get('/inbound')).data.key,
  });
  const withoutStoring = async (send: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    await service.database.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      return await send();
    } finally {
      await service.database.query('DROP TRIGGER refuse ON idempotency_keys');
    }
  };

  it('is tested for every route', () => {
    const routes = service.app
      .get(Routes)
      .all()
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/') && !WITHOUT_KEY.test(path))
      .map(({ path }) => path.slice('/v1'.length));
    expect(Object.keys(CALLS).sort()).toEqual(routes.sort());
  });

  it.each(Object.entries(CALLS))(
    'changes nothing, and takes effect when it is repeated: %s',
    async (_route, callOf) => {
      const { path, body, given, committedFirst = [], inSandbox } = callOf(own, contact);
      const caller = inSandbox ? sandbox : own;
      const without = (tables: object) =>
        Object.fromEntries(Object.entries(tables).filter(([table]) => !committedFirst.includes(table)));
      if (given) await service.database.query(given);
      const send = () => caller.api.post(path, body, { 'idempotency-key': 'repeated' });
      const before = await state(caller);
      expect((await withoutStoring(send)).status).toBe(500);
      expect(without(await state(caller))).toEqual(without(before));
      const done = await send();
      expect([200, 201, 202, 204]).toContain(done.status);
      const after = await state(caller);
      expect(after).not.toEqual(before);
      const again = await send();
      expect([again.status, replayed(again), again.body]).toEqual([done.status, 'true', done.body]);
      expect(await state(caller)).toEqual(after);
    },
  );
});

describe('a 404 of a POST with an Idempotency-Key', () => {
  const service = useService();

  it.each([
    '/marketplace/templates/999999/copy',
    '/marketplace/packs/999999/copy',
    '/webhooks/WEBHOOK/logs/9/redeliver',
  ])('is stored like other responses: %s', async (path) => {
    const api = await service.client();
    const { data } = await api.post('/webhooks', { url: 'https://127.0.0.1/', events: ['email.sent'] });
    const post = () => api.post(path.replace('WEBHOOK', String(data.id)), {}, KEY);
    const [first, second] = [await post(), await post()];
    expect([first.status, replayed(first)]).toEqual([404, null]);
    expect([second.status, replayed(second), second.body]).toEqual([404, 'true', first.body]);
  });
});
