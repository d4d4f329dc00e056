import pg from 'pg';
import { Database, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { encodedContacts } from '../../src/contacts/encoded-contacts.queries.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const UNREACHABLE_URL = 'https://127.0.0.1:44443/hook';

describe('the events of many contacts', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const importRows = async (rows: readonly string[], groups: Record<string, number[]> = {}) => {
    const file = new FormData();
    for (const [name, ids] of Object.entries(groups)) for (const id of ids) file.append(`${name}[]`, String(id));
    file.set('file', new Blob([rows.join('\n')]), 'contacts.csv');
    const { status, body } = await api.post('/contacts/import', file);
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { imported: rows.length - 1 } } });
  };

  const allEvents = async (): Promise<{ id: number; event: string; data: any }[]> => {
    const found: { id: number; event: string; data: any }[] = [];
    for (let after = 0; ; after = found.at(-1)?.id ?? 0) {
      const { data } = await api.get(`/events?limit=1000&after=${after}`);
      if (data.length === 0) return found;
      found.push(...data);
    }
  };

  it('show each contact of an import as the API does, also with every field, tags and lists', async () => {
    const tags = [
      await api.post('/tags', { name: 'VIP "1"', color: '#2f6f4f' }),
      await api.post('/tags', { name: 'b' }),
    ];
    const lists = [
      await api.post('/lists', { name: 'Spring\\', description: 'é\n' }),
      await api.post('/lists', { name: 'c' }),
    ];
    await importRows(
      [
        'email,first_name,last_name,company,phone,job_title,linkedin_url,external_id,timezone,tracking_consent,Shoe size',
        '"full@example.com","A ""b""",Ünal,Acme,+33 1,Head,https://linkedin.com/in/x,crm-1,Europe/Paris,granted,42',
        'last@example.com,,Only,,,,,,,refused,',
        'bare@example.com,,,,,,,,,,',
      ],
      {
        tags: tags.map(({ data }) => data.id),
        lists: lists.map(({ data }) => data.id),
      },
    );
    const events = await allEvents();
    const { data: contacts } = await api.get('/contacts?per_page=10');
    expect(contacts).toHaveLength(3);
    expect(events.filter(({ event }) => event === 'contact.created').map(({ data }) => data)).toEqual(
      expect.arrayContaining(contacts),
    );
    for (const { data } of events)
      expect(JSON.stringify(data)).toBe(JSON.stringify(contacts.find(({ id }: { id: number }) => id === data.id)));
  });

  it('are encoded by the database: an import reads neither the contacts nor their events into the service', async () => {
    const rows = Array.from({ length: 2_500 }, (_, n) => `import${n}@example.com,${'x'.repeat(20)}`);
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await importRows(['email,first_name', ...rows]);
    const texts = query.mock.calls.map(([statement]) =>
      typeof statement === 'object' ? String((statement as { text?: string }).text) : String(statement),
    );
    query.mockRestore();
    const inserts = texts.filter((text) => text.includes('INSERT INTO event_batches'));
    expect(inserts).toHaveLength(3);
    expect(inserts.every((text) => text.includes('row_to_json'))).toBe(true);
    const events = await allEvents();
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1));
    expect(new Set(events.map(({ data }) => data.email)).size).toBe(2_500);
    const [stored] = await service.database.query<{ batches: number; size: number; contacts: number }>(
      `SELECT count(*)::int AS batches, max(size) AS size, sum(cardinality(contact_ids))::int AS contacts
       FROM event_batches WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    expect(stored).toEqual({ batches: 25, size: 100, contacts: 2_500 });
  });

  it('are delivered to a webhook as before', async () => {
    const { data: webhook } = await api.post('/webhooks', { url: UNREACHABLE_URL, events: ['contact.created'] });
    await importRows(['email', 'a@example.com', 'b@example.com']);
    const bodies = await service.database.query<{ payload: any }>(
      `SELECT event.payload FROM webhook_deliveries delivery JOIN webhook_events event
         ON event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id
       WHERE delivery.workspace_id = $1 AND delivery.webhook_id = $2 ORDER BY event.id`,
      [api.workspaceId, webhook.id],
    );
    expect(bodies.map(({ payload }) => payload.data)).toEqual((await allEvents()).map(({ data }) => data));
  });

  it('are stored in smaller batches if the contacts are large', async () => {
    await importRows([
      'email,Notes',
      ...Array.from({ length: 120 }, (_, n) => `large${n}@example.com,${'x'.repeat(9_000)}`),
    ]);
    const batches = await service.database.query<{ size: number; bytes: number }>(
      'SELECT size, octet_length(data) AS bytes FROM event_batches WHERE workspace_id = $1 ORDER BY id',
      [api.workspaceId],
    );
    expect(batches.reduce((sum, { size }) => sum + size, 0)).toBe(120);
    for (const { bytes } of batches) expect(bytes).toBeLessThan(262_144 + 10_000);
    expect((await allEvents()).map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });

  it('never show a contact of another workspace', async () => {
    const other = await service.client();
    const { id } = await new Given(other, service.database).contact();
    const own = await given.contact();
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    for await (const statement of encodedContacts(scope, sql`SELECT unnest(${[id, own.id]}::bigint[])`)) {
      const rows = await scope.query<{ contact_id: number; data: string }>(statement);
      expect(rows.map(({ data }) => JSON.parse(data))).toEqual([own]);
    }
  });
});
