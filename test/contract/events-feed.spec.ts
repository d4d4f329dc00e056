import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { redactStoredEvents } from '../../src/webhooks/index.js';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { Given } from '../support/given.js';
import { useService, useSharedService } from '../support/service.js';

interface ReadEvent {
  readonly id: number;
  readonly event: string;
  readonly data: any;
  readonly created_at: string;
}

const idsOf = (found: readonly ReadEvent[]): number[] => found.map(({ id }) => id);

describe('the events of a workspace', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const events = async (query = ''): Promise<ReadEvent[]> => (await api.get(`/events?${query}`)).data;

  /** Stores a batch of events with the numbers `from` to `to` in `data`, in a transaction of `client`. */
  const store = (client: Pick<pg.Client, 'query'>, from: number, to: number, event = 'email.sent') =>
    client.query(
      `INSERT INTO event_batches (workspace_id, event, size, data)
       SELECT $1, $4, count(*), json_agg(json_build_object('n', n))::text FROM generate_series($2::int, $3::int) n`,
      [api.workspaceId, from, to, event],
    );
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    return client;
  }

  it('are there without a webhook, the oldest first, with the record as it was then', async () => {
    const contact = await given.contact({ first_name: 'Ada' });
    await api.put(`/contacts/${contact.id}`, { first_name: 'Grace' });
    await api.delete(`/contacts/${contact.id}`);
    const { body, status } = await api.get('/events');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: 1, event: 'contact.created', data: contact, created_at: expect.stringMatching(/Z$/) },
      expect.objectContaining({
        id: 2,
        event: 'contact.updated',
        data: expect.objectContaining({ first_name: 'Grace' }),
      }),
      expect.objectContaining({ id: 3, event: 'contact.deleted', data: expect.objectContaining({ id: contact.id }) }),
    ]);
    expect(body.meta).toEqual({ next_after: 3 });
    expect((await api.get('/events?after=3')).body).toEqual({ data: [], meta: { next_after: 3 } });
    expect((await (await service.client()).get('/events')).body).toEqual({ data: [], meta: { next_after: null } });
  });

  it('are read after an ID, by names, and as many as the limit', async () => {
    const { id } = await given.contact();
    for (const first_name of ['a', 'b', 'c']) await api.put(`/contacts/${id}`, { first_name });
    await given.contact();
    expect(idsOf(await events('after=1&limit=2'))).toEqual([2, 3]);
    expect(idsOf(await events('event=contact.created'))).toEqual([1, 5]);
    expect(idsOf(await events('event=contact.created, email.sent&after=1&limit=1'))).toEqual([5]);
    expect(await events('event=email.sent')).toEqual([]);
    expect((await api.get('/events?event=email.sent&after=2')).body.meta).toEqual({ next_after: 2 });
  });

  it('can be read with a cursor to the end', async () => {
    for (let n = 0; n < 5; n += 1) await given.contact();
    const found: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: { body: { data: ReadEvent[]; meta: any } } = await api.get(`/events?limit=2&cursor=${cursor}`);
      found.push(...idsOf(body.data));
      cursor = body.meta.next_cursor;
    }
    expect(found).toEqual([1, 2, 3, 4, 5]);
  });

  it('of a name that is rare are found with a cursor behind many that have not been read', async () => {
    await service.database.query(
      `INSERT INTO event_batches (workspace_id, event, size, data)
       SELECT $1, CASE WHEN n > 100000 THEN 'campaign.started' ELSE 'email.sent' END, 1, '[{}]' FROM generate_series(1, 100001) n
       ORDER BY n`,
      [api.workspaceId],
    );
    const pages: number[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: { body: { data: ReadEvent[]; meta: any } } = await api.get(
        `/events?event=campaign.started&cursor=${cursor}`,
      );
      expect(body).toMatchObject({ data: expect.any(Array) });
      pages.push(idsOf(body.data));
      cursor = body.meta.next_cursor;
    }
    expect(pages.flat()).toEqual([100_001]);
    expect(pages.length).toBeGreaterThan(1);
  });

  it.each([
    ['after=x', 'after'],
    ['after=-1', 'after'],
    ['event=contact.created,nothing', 'event'],
    ['event=webhook.test', 'event'],
    ['event=', 'event'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=&after=1', 'after'],
    ['cursor=&page=1', 'page'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await api.get(`/events?${query}`);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });

  it('of an import are read in pages that begin and end within a batch', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `import${n}@example.com`);
    const file = new FormData();
    file.set('file', new Blob([['email', ...rows].join('\n')]), 'contacts.csv');
    await api.post('/contacts/import', file);
    const [stored] = await service.database.query<{ batches: number }>(
      'SELECT count(*)::int AS batches FROM event_batches WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(stored?.batches).toBe(3);
    const found: ReadEvent[] = [];
    for (
      let page = await events('limit=37');
      page.length > 0;
      page = await events(`limit=37&after=${found.at(-1)?.id}`)
    )
      found.push(...page);
    expect(idsOf(found)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(found.map(({ data }) => data.email).sort()).toEqual([...rows].sort());
  });

  it('that are rolled back are not there, and one that is committed late comes after those that were read', async () => {
    const [late, undone] = [await connect(), await connect()];
    await late.query('BEGIN');
    await undone.query('BEGIN');
    await store(late, 1, 2);
    await store(undone, 3, 4);
    await given.contact();
    expect(idsOf(await events())).toEqual([1]);
    await undone.query('ROLLBACK');
    await late.query('COMMIT');
    expect((await events()).map(({ id, data }) => [id, data.n])).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
    ]);
    await Promise.all([late.end(), undone.end()]);
  });

  it('never get an ID below one that was read, while many transactions write and several clients read', async () => {
    const other = await service.client();
    const writers = await Promise.all(Array.from({ length: 8 }, connect));
    let isWriting = true;
    const committed: number[] = [];
    const write = async (client: pg.Client, writer: number): Promise<void> => {
      for (let round = 0; round < 12; round += 1) {
        const n = writer * 1_000 + round * 10;
        await client.query('BEGIN');
        await store(client, n, n + (round % 4), round % 3 === 0 ? 'email.opened' : 'email.sent');
        await sleep((writer * 7 + round * 13) % 60);
        const isUndone = (writer + round) % 4 === 0;
        await client.query(isUndone ? 'ROLLBACK' : 'COMMIT');
        if (!isUndone) for (let each = n; each <= n + (round % 4); each += 1) committed.push(each);
      }
    };
    const read = async (query: string): Promise<[number, number][]> => {
      const found: [number, number][] = [];
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        const after = found.at(-1)?.[0] ?? 0;
        for (const { id, data } of await events(`${query}&after=${after}`)) found.push([id, data.n]);
      }
      return found;
    };
    const readers = [read('limit=3'), read('limit=50'), read('limit=1000'), read('event=email.opened')];
    await Promise.all(writers.map(write));
    isWriting = false;
    const [few, some, all, opened] = await Promise.all(readers);
    expect(all?.map(([id]) => id)).toEqual(committed.map((_, index) => index + 1));
    expect(all?.map(([, n]) => n).sort()).toEqual([...committed].sort());
    const later = (await events('limit=1000')).map(({ id, data }) => [id, data.n]);
    expect([few, some, all].map((found) => found?.slice(0, later.length))).toEqual([
      later.slice(0, few?.length),
      later.slice(0, some?.length),
      later,
    ]);
    expect(opened).toEqual((await events('event=email.opened&limit=1000')).map(({ id, data }) => [id, data.n]));
    expect((await other.get('/events')).data).toEqual([]);
    await Promise.all(writers.map((writer) => writer.end()));
  });

  it('of another workspace are read while a transaction that gives out IDs waits', async () => {
    await given.contact();
    const insert = 'INSERT INTO event_feeds (workspace_id) VALUES ($1)';
    const lock = await BlockingTransaction.begin(service.database, insert, [api.workspaceId]);
    const other = await service.client();
    await new Given(other, service.database).contact();
    expect((await other.get('/events')).data).toHaveLength(1);
    const created = await given.contact();
    const reading = events();
    await lock.blocks(1);
    await lock.end();
    expect((await reading).map(({ data }) => data.id)).toContain(created.id);
  });

  it('go on with the oldest if the event with the ID was deleted', async () => {
    for (let n = 0; n < 4; n += 1) await given.contact();
    expect(await events()).toHaveLength(4);
    await service.database.query('DELETE FROM event_batches WHERE workspace_id = $1 AND first_id < 3', [
      api.workspaceId,
    ]);
    expect(idsOf(await events('after=1'))).toEqual([3, 4]);
    await service.database.query('DELETE FROM event_batches WHERE workspace_id = $1', [api.workspaceId]);
    await given.contact();
    expect(idsOf(await events())).toEqual([5]);
  });

  it('of one contact can be redacted, and those beside them stay as they are', async () => {
    const [ada, bob] = [await given.contact({ first_name: 'Ada' }), await given.contact({ first_name: 'Bob' })];
    const message = (contact: { id: number; email: string }) => ({
      contact_id: contact.id,
      email: contact.email,
      step_id: 5,
    });
    await service.database.query(
      `INSERT INTO event_batches (workspace_id, event, size, data, contact_ids) VALUES ($1, 'email.sent', 2, $2, $3)`,
      [api.workspaceId, JSON.stringify([message(ada), message(bob)]), [ada.id, bob.id]],
    );
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const ofAda = { contact_id: ada.id, written: [] };
    for (let time = 0; time < 2; time += 1) expect(await redactStoredEvents(scope, ofAda, 0)).toBeUndefined();
    expect((await events()).map(({ data }) => data)).toEqual([
      { id: ada.id },
      bob,
      { contact_id: ada.id, step_id: 5 },
      message(bob),
    ]);
  });
});

describe('the events with EVENT_RETENTION_DAYS=0', () => {
  const service = useService({ EVENT_RETENTION_DAYS: '0' });

  it('are not stored', async () => {
    const api = await service.client();
    await new Given(api, service.database).contact();
    expect((await api.get('/events?after=7')).body).toEqual({ data: [], meta: { next_after: 7 } });
    expect(await service.database.query('SELECT 1 FROM event_batches')).toEqual([]);
  });
});
