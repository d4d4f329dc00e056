import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { useService } from '../support/service.js';
import { openUnread, sendRequest } from '../support/unread-response.js';

/** How many of a workspace's requests run at a time if no other workspace has any, with the pool of the tests. */
const MAX_RUNNING = 24;
const MAX_WAITING = 200;
const MAX_UPLOADS = 6;
const MAX_EXPORTS = 3;
/** Pages of 25 MB. */
const MAX_LARGE = 3;

describe('a workspace with many requests', () => {
  // No request ends because it has waited long for a lock of a test, however slow the machine is: the maximum of the setting.
  const service = useService({ STATEMENT_TIMEOUT_SECONDS: '3600' });
  let busy: ApiClient;
  let other: ApiClient;
  let lock: BlockingTransaction | undefined;

  beforeAll(() => {
    // A client that does not read is not closed before the test ends, however long that takes.
    service.app.getHttpServer().on('request', (_: unknown, response: ServerResponse) => response.setTimeout(0));
  });
  beforeEach(async () => {
    busy = await service.client();
    other = await service.client();
  });
  afterEach(() => lock?.end());

  /** Sends requests that wait until the lock is released. */
  async function sendBlocked(count: number): Promise<Promise<ApiResponse>[]> {
    const { id } = await new Given(busy, service.database).contact({});
    const statement = 'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE';
    lock = await BlockingTransaction.begin(service.database, statement, [busy.workspaceId, id]);
    return Array.from({ length: count }, (_, index) => busy.put(`/contacts/${id}`, { first_name: `A${index}` }));
  }

  it('does not make the requests of another workspace wait for its database connections', async () => {
    let ended = 0;
    const blocked = (await sendBlocked(40)).map((request) => request.finally(() => ended++));
    await lock?.blocks(6);
    const contact = await new Given(other, service.database).contact({});
    expect((await other.put(`/contacts/${contact.id}`, { first_name: 'Ada' })).status).toBe(200);
    expect((await other.get('/contacts?search=Ada')).data).toHaveLength(1);
    expect(ended).toBe(0);
    await lock?.end();
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual(blocked.map(() => 200));
  });

  it('gets 429 with the reason busy for requests beyond those that may wait', async () => {
    const refused: ApiResponse[] = [];
    const requests = (await sendBlocked(MAX_RUNNING + MAX_WAITING + 3)).map(async (request) => {
      const response = await request;
      if (response.status === 429) refused.push(response);
      return response.status;
    });
    await eventually(() => expect(refused).toHaveLength(3));
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ error: 'TooManyRequests', code: 429, errors: null, reason: 'busy' });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await other.get('/contacts')).status).toBe(200);
    await lock?.end();
    const statuses = await Promise.all(requests);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_RUNNING + MAX_WAITING);
  });

  it('does not make the imports of another workspace wait, and has a limited number of files', async () => {
    const key = `SELECT pg_advisory_xact_lock(hashtextextended('contact_import', $1))`;
    lock = await BlockingTransaction.begin(service.database, key, [busy.workspaceId]);
    const refused: ApiResponse[] = [];
    const imports = Array.from({ length: MAX_UPLOADS + 2 }, async () => {
      const response = await importOne(busy);
      if (response.status === 429) refused.push(response);
      return response.status;
    });
    await eventually(() => expect(refused).toHaveLength(2));
    expect(refused.map(({ body }) => body.reason)).toEqual(['busy', 'busy']);
    expect((await importOne(other)).data).toMatchObject({ imported: 1 });
    expect((await busy.get('/contacts')).data).toHaveLength(0);
    await lock.end();
    expect((await Promise.all(imports)).filter((status) => status === 200)).toHaveLength(MAX_UPLOADS);
  });

  it('has a limited number of exports, and others are not affected by clients that do not read', async () => {
    await new Given(busy, service.database).contacts(20_000);
    await service.database.query(`UPDATE contacts SET custom_fields = jsonb_build_object('a', repeat('a', 2000))`);
    const clients = [];
    for (let count = 0; count < MAX_EXPORTS; count++) clients.push(await openExport(busy));
    const { status, body } = await busy.get('/contacts/export');
    expect([status, body.reason]).toEqual([429, 'busy']);
    await new Given(other, service.database).contact({});
    expect((await other.get('/contacts/export')).body.split('\n')).toHaveLength(3);
    await eventually(async () => {
      const active = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'outreach' AND state <> 'idle'`;
      expect(await service.database.query(active)).toEqual([]);
    });
    clients.pop()?.destroy();
    const reopened = await eventually(async () => openExport(busy));
    for (const client of [...clients, reopened]) client.destroy();
  });

  it('has a limited number of large responses in memory, and others are not affected by clients that do not read', async () => {
    for (const { workspaceId } of [busy, other]) {
      await service.database.query(
        `INSERT INTO templates (workspace_id, name, subject, body)
         SELECT $1, 'T' || n, 'S', repeat('a', 250000) FROM generate_series(1, 100) n`,
        [workspaceId],
      );
    }
    const clients = [];
    for (let count = 0; count < MAX_LARGE; count++)
      clients.push(await openUnread(service.url, busy, '/templates?per_page=100'));
    const waitingClients = Array.from({ length: MAX_RUNNING + 1 }, () =>
      sendRequest(service.url, busy, '/templates?per_page=100'),
    );
    let isAnswered = false;
    const waiting = busy.get('/templates?per_page=100').finally(() => (isAnswered = true));
    expect((await other.get('/templates?per_page=100')).data).toHaveLength(100);
    // Those that wait occupy no place of the requests, and small pages need little memory.
    for (const path of ['/contacts', '/tags', '/templates?per_page=1']) {
      for (const api of [other, busy]) expect((await api.get(path)).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    for (const client of waitingClients) client.destroy();
    clients.pop()?.destroy();
    expect((await waiting).status).toBe(200);
    for (const client of clients) client.destroy();
  });

  it('reads one list of steps at a time, because steps may have variants, and small lists beside it', async () => {
    const { id } = await new Given(busy, service.database).campaign();
    lock = await BlockingTransaction.begin(service.database, 'LOCK TABLE step_variants', []);
    const lists = [1, 2].map(() => busy.get(`/campaigns/${id}/steps`));
    await lock.blocks(1);
    for (const path of ['/templates', '/contacts?per_page=100']) expect((await busy.get(path)).status).toBe(200);
    await lock.blocks(1);
    await lock.end();
    for (const { status, data } of await Promise.all(lists)) expect([status, data.length]).toEqual([200, 1]);
  });

  const importOne = (api: ApiClient): Promise<ApiResponse> => {
    const form = new FormData();
    form.set('file', new Blob(['email\nada@example.com\n']), 'contacts.csv');
    return api.post('/contacts/import', form);
  };

  const openExport = (api: ApiClient): Promise<Socket> => openUnread(service.url, api, '/contacts/export');
});
