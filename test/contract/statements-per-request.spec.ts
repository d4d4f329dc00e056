import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';

/** The statements of quotas and tokens are for many requests together. */
const OF_MANY_REQUESTS = /quota_counters|api_tokens/;

/** What the driver sends. `begin`: the statements that begin the transaction, in the same message. */
interface SentStatement {
  readonly text: string;
  readonly name?: string;
  readonly begin?: readonly string[];
}

describe('the statements that a request sends to the database', () => {
  const service = useService();
  let api: ApiClient;
  let path: string;
  let emails = 0;

  const create = (fields = {}) => api.post('/contacts', { email: `${++emails}@example.com`, ...fields });

  /** Returns the statements of a request that a session has prepared. */
  async function sentBy(request: () => Promise<unknown>): Promise<SentStatement[]> {
    await request();
    await request();
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await request();
    const calls = query.mock.calls as unknown as [string | SentStatement][];
    const sent = calls.map(([statement]) => (typeof statement === 'string' ? { text: statement } : statement));
    query.mockRestore();
    return sent.filter(({ text }) => !OF_MANY_REQUESTS.test(text));
  }

  beforeAll(async () => {
    api = await service.client();
    const { body } = await create();
    path = `/contacts/${body.id}`;
  });

  it('reading a contact takes one, which is prepared', async () => {
    expect(await sentBy(() => api.get(path))).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^SELECT/), name: expect.any(String) }),
    ]);
  });

  it('reading the first page of a list with its total takes one, which is prepared', async () => {
    expect(await sentBy(() => api.get('/contacts?per_page=15'))).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^WITH counted/), name: expect.any(String) }),
    ]);
  });

  it('a filter takes one, which is planned for its value', async () => {
    const sent = await sentBy(() => api.get('/contacts?status=unsubscribed'));
    expect(sent).toEqual([expect.not.objectContaining({ name: expect.any(String) })]);
  });

  it('creating a contact takes four messages: the first one begins the transaction', async () => {
    const sent = await sentBy(() => create({ first_name: 'New' }));
    expect(sent).toMatchObject([
      { text: expect.stringMatching(/^INSERT INTO contacts/), name: expect.any(String) },
      { text: expect.stringMatching(/contact_refusals.*webhooks/s), name: expect.any(String) },
      { text: expect.stringMatching(/INSERT INTO event_batches/), name: expect.any(String) },
      { text: 'COMMIT' },
    ]);
    expect(sent[0]?.begin).toEqual(
      expect.arrayContaining(['BEGIN', expect.stringMatching(/statement_timeout = 10000/)]),
    );
  });

  it('updating a contact takes four messages', async () => {
    const sent = await sentBy(() => api.put(path, { first_name: `${++emails}` }));
    expect(sent).toMatchObject([
      { text: expect.stringMatching(/^SELECT/), name: expect.any(String) },
      { text: expect.stringMatching(/^UPDATE contacts/), begin: expect.arrayContaining(['BEGIN']) },
      { text: expect.stringMatching(/INSERT INTO event_batches.*webhooks/s), name: expect.any(String) },
      { text: 'COMMIT' },
    ]);
  });
});

describe('the first statement of a transaction', () => {
  const service = useService();

  it('has no effect if the transaction cannot begin', async () => {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('CREATE TABLE written (id int)');
    const { beginWith } = await import('../../src/platform/database/first-statement.js');
    const insert = beginWith(client as unknown as pg.PoolClient, ['SET LOCAL lock_timeout = -5'], {
      text: 'INSERT INTO written VALUES ($1)',
      values: [1],
    });
    await expect(insert).rejects.toThrow(/lock_timeout/);
    expect((await client.query('SELECT id FROM written')).rows).toEqual([]);
    await client.end();
  });
});
