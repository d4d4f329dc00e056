import type { Type } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { DueErasures } from '../../src/personal-data/erasure/due-erasures.cross-tenant.js';
import { ErasureSearches } from '../../src/personal-data/erasure/erasure-searches.js';
import type { SearchCursor } from '../../src/personal-data/erasure/search-cursor.js';
import { Traces } from '../../src/personal-data/erasure/traces.js';
import { Keyring } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { occurrences, storedData } from '../support/stored-data.js';

const EMAIL = 'quirina.zebulon@private-person.example';
/** More than one transaction redacts. */
const MANY = 1_300;

describe('erasing more than fits into one transaction', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;
  let lock: BlockingTransaction | undefined;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    await lock?.end();
    lock = undefined;
  });

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    service.database.query<Row>(text, values);
  const left = async () => occurrences(await storedData(service.database), [EMAIL]);
  /** Does what workers do, until nothing is left to do. */
  const complete = async () => {
    const get = <T>(token: Type<T>): T => service.app.get(token, { strict: false });
    const searches = new ErasureSearches(new DueErasures(get(Database)), get(Traces), get(Keyring), get(Log));
    await eventually(async () => {
      await query('UPDATE erasures SET next_run_at = now() WHERE is_last_search AND next_run_at > now()');
      await searches.run();
      expect(await query('SELECT 1 FROM erasures WHERE completed_at IS NULL')).toEqual([]);
    });
  };
  /** Events to read, refused rows and reported errors of a contact, among those of others. */
  const insertMany = async (contactId: number, count = MANY) => {
    await query(
      `INSERT INTO event_batches (workspace_id, event, size, data, contact_ids)
       SELECT $1, 'email.clicked', 2,
         json_build_array(json_build_object('contact_id', $2::bigint, 'email', $3::text),
           json_build_object('contact_id', $2 + n, 'email', 'other' || n || '@example.com'))::text, ARRAY[$2::bigint, $2 + n]
       FROM generate_series(1, $4::int) n`,
      [api.workspaceId, contactId, EMAIL, count],
    );
    await query(
      `WITH import AS (
         INSERT INTO imports (workspace_id, status, file_name, errors, refused_bytes, failed)
         SELECT $1, 'completed', 'contacts.csv',
           json_build_array(json_build_object('row', 2, 'field', 'phone', 'column', 'phone', 'value', $2::text, 'message', 'x')), 10, 1
         FROM generate_series(1, $3::int) RETURNING *)
       INSERT INTO import_refused_rows (workspace_id, import_id, position, content)
       SELECT workspace_id, id, 0, $2 || E',x,2,phone,x\\nother@example.com,y,3,phone,x\\n' FROM import`,
      [api.workspaceId, EMAIL, Math.min(count, 110)],
    );
  };
  const feed = async () => {
    const { body } = await api.get('/events?after=0&limit=1000&event=email.clicked');
    return body.data as { data: Record<string, unknown> }[];
  };

  it('changes a limited number of rows in the request, shows no event of the person, and workers complete it', async () => {
    const { id } = await given.contact({ email: EMAIL });
    await insertMany(id);
    expect((await api.post(`/contacts/${id}/erase`)).status).toBe(204);
    const [open] = await query<{ found: number }>(
      'SELECT count(*)::int AS found FROM event_batches WHERE data LIKE $1',
      [`%${EMAIL}%`],
    );
    // With `contact.created`.
    expect(open?.found).toBe(MANY + 1 - 500);
    const shown = await feed();
    expect(shown).toHaveLength(1_000);
    expect(shown.slice(-2).map(({ data }) => data)).toEqual([
      { contact_id: id },
      { contact_id: id + 500, email: 'other500@example.com' },
    ]);
    expect(shown.filter(({ data }) => data.email === EMAIL)).toEqual([]);
    await complete();
    expect(await left()).toEqual([]);
    const others = await query<{ found: number }>(
      `SELECT count(*)::int AS found FROM event_batches WHERE data LIKE '%other%'
       UNION ALL SELECT count(*)::int FROM import_refused_rows WHERE content LIKE '%other%'`,
    );
    expect(others.map(({ found }) => found)).toEqual([MANY, 110]);
  });

  it('pauses after a while, and goes on where it was', async () => {
    const { id } = await given.contact({ email: EMAIL });
    await insertMany(id);
    const subject = { contact_id: id, email: EMAIL, former_emails: [], texts: [EMAIL], names: [] };
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database, { strict: false }));
    const traces = service.app.get(Traces, { strict: false });
    const cursors: (SearchCursor | null)[] = [];
    for (let cursor: SearchCursor | null = null; cursors.length === 0 || cursor; cursors.push(cursor)) {
      let ranges = 0;
      cursor = await traces.eraseRest(scope, subject, cursor, () => ++ranges > 2);
    }
    expect(cursors.length).toBeGreaterThan(3);
    expect(new Set(cursors.map((cursor) => JSON.stringify(cursor))).size).toBe(cursors.length);
    const events = await storedData(service.database);
    expect(occurrences(new Map([...events].filter(([table]) => !table.includes('contacts'))), [EMAIL])).toEqual([]);
    await api.post(`/contacts/${id}/erase`);
  });

  it('is completed by another worker when its worker is killed in the middle', async () => {
    const { id } = await given.contact({ email: EMAIL });
    await insertMany(id);
    expect((await api.post(`/contacts/${id}/erase`)).status).toBe(204);
    lock = await BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM event_batches WHERE workspace_id = $1 AND data LIKE $2 ORDER BY id DESC LIMIT 1 FOR UPDATE',
      [api.workspaceId, `%${EMAIL}%`],
    );
    const events = [expect.stringMatching(/^public\.event_batches/)];
    const worker = await ServiceProcess.startWorker(service);
    // Something else of the worker may wait for the table, too.
    await eventually(async () => {
      expect(await left()).toEqual(events);
      expect(await lock?.blocked()).not.toEqual([]);
    });
    await worker.kill();
    await lock.end();
    expect(await left()).toEqual(events);
    // The lease of the killed worker.
    await query('UPDATE erasures SET next_run_at = now()');
    await complete();
    expect(await left()).toEqual([]);
  });

  it('leaves the contact as it was when the process of the request is killed in the middle', async () => {
    const server = await ServiceProcess.startApi(service);
    const contact = await given.contact({ email: EMAIL });
    await insertMany(contact.id, 3);
    const segment = await given.segment([{ field: 'email', operator: 'equals', value: EMAIL }]);
    lock = await BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM segments WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
      [api.workspaceId, segment.id],
    );
    const before = await left();
    const request = fetch(`${server.url}/v1/contacts/${contact.id}/erase`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}` },
    }).catch(() => 'no response');
    await lock.blocks(1);
    await server.kill();
    expect(await request).toBe('no response');
    await lock.end();
    await eventually(async () => expect(await left()).toEqual(before));
    expect((await api.get(`/contacts/${contact.id}`)).data).toEqual({ ...contact, lists: [], tags: [] });
    expect(await query('SELECT 1 FROM erasures WHERE contact_id = $1', [contact.id])).toEqual([]);
    expect((await api.post(`/contacts/${contact.id}/erase`)).status).toBe(204);
    expect(await left()).toEqual([]);
  });

  it('is searched for the last time after imports and transactions that began before', async () => {
    const due = new DueErasures(service.app.get(Database, { strict: false }));
    const { id } = await given.contact({ email: EMAIL });
    await query(
      `INSERT INTO imports (workspace_id, status, options, leased_by, lease_until)
       VALUES ($1, 'running', '{}', gen_random_uuid(), now() + interval '1 hour')`,
      [api.workspaceId],
    );
    lock = await BlockingTransaction.begin(service.database, 'SELECT pg_current_xact_id()', []);
    expect((await api.post(`/contacts/${id}/erase`)).status).toBe(204);
    const take = async () => {
      await query('UPDATE erasures SET next_run_at = now() WHERE contact_id = $1', [id]);
      return (await due.take()).map(({ contact_id: contactId }) => contactId).filter((taken) => taken === id);
    };
    expect(await take()).toEqual([]);
    await query(`UPDATE imports SET status = 'completed' WHERE workspace_id = $1`, [api.workspaceId]);
    expect(await take()).toEqual([]);
    await lock.end();
    await eventually(async () => expect(await take()).toEqual([id]));
  });
});
