import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually, TIME_FACTOR } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { startService, type TestService, useService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const UNAVAILABLE = { error: 'InternalServerError', code: 503, errors: null, reason: 'unavailable' };

function expectUnavailable({ status, body, headers }: ApiResponse): void {
  expect([status, body]).toEqual([503, expect.objectContaining(UNAVAILABLE)]);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** Statements wait for a lock for half of it: long enough for a test to see that they wait, also on a busy machine. */
const LIMIT_SECONDS = Math.min(4 * Math.ceil(TIME_FACTOR), 30);

describe('a request whose statement takes too long', () => {
  const service = useService({ STATEMENT_TIMEOUT_SECONDS: String(LIMIT_SECONDS) });
  let api: ApiClient;
  let lock: BlockingTransaction | undefined;

  beforeEach(async () => {
    api = await service.client();
  });
  afterEach(() => lock?.end());

  const lockContact = async (id: number): Promise<void> => {
    const statement = 'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE';
    lock = await BlockingTransaction.begin(service.database, statement, [api.workspaceId, id]);
  };

  it('gets 503 if it waits for a row that is locked; other workspaces are served, and nothing is written', async () => {
    const { id } = await new Given(api, service.database).contact({ first_name: 'Ada' });
    await lockContact(id);
    const updates = Array.from({ length: 12 }, (_, n) => api.put(`/contacts/${id}`, { first_name: `Eve ${n}` }));
    await lock?.blocks(6);
    const other = await service.client();
    const contact = await new Given(other, service.database).contact({});
    expect((await other.put(`/contacts/${contact.id}`, { first_name: 'Grace' })).status).toBe(200);
    for (const response of await Promise.all(updates)) expectUnavailable(response);
    await lock?.end();
    expect((await api.get(`/contacts/${id}`)).data).toMatchObject({ first_name: 'Ada' });
    expect((await api.put(`/contacts/${id}`, { first_name: 'Bob' })).data).toMatchObject({ first_name: 'Bob' });
  });

  it('can be repeated with its Idempotency-Key, and takes effect once', async () => {
    const { id } = await new Given(api, service.database).contact({});
    const { data: list } = await api.post('/lists', { name: 'A' });
    await lockContact(id);
    const add = () => api.post(`/lists/${list.id}/contacts`, { contact_ids: [id] }, { 'Idempotency-Key': 'once' });
    expectUnavailable(await add());
    await lock?.end();
    expect((await add()).data).toEqual({ added: 1, skipped: 0 });
    expect((await add()).data).toEqual({ added: 1, skipped: 0 });
  });

  it('gets 429 with the reason busy if its own work takes the time, and the next request is served', async () => {
    await api.post('/companies', { name: 'Acme' });
    await service.database.query('ALTER TABLE companies RENAME TO stored_companies');
    await service.database.query(
      'CREATE VIEW companies AS SELECT company.* FROM stored_companies company WHERE pg_sleep(60) IS NOT NULL',
    );
    try {
      const { status, body, headers } = await api.get('/companies');
      expect([status, body]).toEqual([429, expect.objectContaining({ error: 'TooManyRequests', reason: 'busy' })]);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    } finally {
      await service.database.query('DROP VIEW companies');
      await service.database.query('ALTER TABLE stored_companies RENAME TO companies');
    }
    expect((await api.get('/companies')).data).toHaveLength(1);
  });

  it('runs on if it is an import, because its work would be lost', async () => {
    lock = await BlockingTransaction.begin(service.database, 'LOCK TABLE contacts IN EXCLUSIVE MODE', []);
    const form = new FormData();
    form.set('file', new Blob(['email\nada@example.com\n']), 'contacts.csv');
    const imported = api.post('/contacts/import', form);
    await lock.blocks(1);
    // Longer than any statement with a limit may run or wait.
    await service.database.query('SELECT pg_sleep($1)', [LIMIT_SECONDS + 2]);
    await lock.end();
    expect((await imported).data).toMatchObject({ imported: 1 });
  });
});

describe('a service whose database cannot be reached', () => {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await BreakableProxy.to(database.url);
    const shared = { ...database, url: proxy.urlThrough(database.url) };
    service = await startService({ STATEMENT_TIMEOUT_SECONDS: String(LIMIT_SECONDS), LOG_LEVEL: 'silent' }, shared);
    api = await service.client();
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await database.drop();
  });

  const ready = async (): Promise<number> => (await fetch(`${service.url}/health/ready`)).status;

  it('responds with 503, is not ready, and serves the next request after the connections were lost', async () => {
    expect((await api.get('/contacts')).status).toBe(200);
    // Its token is not cached, so it is read from the database.
    const other = await service.client();
    proxy.break();
    const requests = [api.get('/contacts'), api.post('/lists', { name: 'A' }), other.get('/contacts')];
    for (const response of await Promise.all(requests)) expectUnavailable(response);
    expect(await ready()).toBe(503);
    proxy.restore();
    expect((await api.post('/lists', { name: 'A' })).status).toBe(201);
    await eventually(async () => expect(await ready()).toBe(200));
  });

  it('responds with 503 to requests whose connections the server ends', async () => {
    const lock = await BlockingTransaction.begin(database, 'LOCK TABLE contacts', []);
    const waiting = [api.get('/contacts'), api.post('/contacts', { email: 'ada@example.com' })];
    await lock.blocks(2);
    await database.disconnectAll();
    for (const response of await Promise.all(waiting)) expectUnavailable(response);
    await lock.end();
    // Other connections may be ending still, which is 503 as well.
    await eventually(async () => expect((await api.get('/contacts')).data).toEqual([]));
  });

  it('responds with 503 and is not ready while the server does not react at all', async () => {
    proxy.hang();
    const requests = [api.get('/contacts'), api.get('/contacts')];
    await eventually(async () => expect(await ready()).toBe(503));
    for (const response of await Promise.all(requests)) expectUnavailable(response);
    proxy.restore();
    expect((await api.get('/contacts')).status).toBe(200);
    await eventually(async () => expect(await ready()).toBe(200));
  });
});
