import { parse } from 'csv-parse/sync';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { UNKNOWN_ID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

describe('Exports as CSV', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const exported = async (path: string): Promise<string[][]> => {
    const { status, body } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return parse(body as string, { bom: true });
  };
  const textOf = async (path: string): Promise<string> => {
    const response = await fetch(`${service.url}/v1${path}`, { headers: { authorization: `Bearer ${api.token}` } });
    return Buffer.from(await response.arrayBuffer()).toString();
  };

  describe('of contacts', () => {
    it('have the requested columns in the requested order', async () => {
      const tag = await given.group('/tags', { name: 'VIP' });
      const fields = { first_name: 'Ann', last_name: 'Lee', tags: [tag.id], custom_fields: { city: 'Nîmes' } };
      const ann = await given.contact({ email: 'ann@example.com', ...fields });
      await given.contact({ email: 'bob@example.com' });
      const query = 'columns=custom_fields.city,email,%20full_name,id,tags&sort=email&direction=asc';
      const [header, first, second] = await exported(`/contacts/export?${query}`);
      expect(header).toEqual(['custom_fields.city', 'email', 'full_name', 'id', 'tags']);
      expect(first).toEqual(['Nîmes', 'ann@example.com', 'Ann Lee', String(ann.id), 'VIP']);
      expect(second?.slice(0, 3)).toEqual(['', 'bob@example.com', '']);
    });

    it('have all columns if none is named, and a repeated one once', async () => {
      const all = await exported('/contacts/export');
      expect(await exported('/contacts/export?columns=')).toEqual(all);
      expect(await exported('/contacts/export?columns=email,phone,email,')).toEqual([['email', 'phone']]);
    });

    it.each([
      ['frist_name', 'frist_name is not a known field. Did you mean first_name?'],
      ['custom_fields.citty', 'custom_fields.citty is not a known field. Did you mean custom_fields.city?'],
      ['email,e-mail', 'e-mail is not a known field. Did you mean email?'],
      ['__proto__', expect.stringContaining('__proto__ is not a known field')],
      ['search_text', expect.stringContaining('search_text is not a known field')],
    ])('are refused with the column %s, and the nearest known column is named', async (columns, message) => {
      await given.group('/custom-fields', { key: 'city', label: 'City', type: 'text' });
      const { status, body } = await api.get(`/contacts/export?columns=${columns}`);
      expect([status, body.errors]).toEqual([422, { columns: [message] }]);
    });

    it("do not know another workspace's custom fields", async () => {
      const other = await service.client();
      await other.post('/custom-fields', { key: 'secret', label: 'Secret', type: 'text' });
      expect((await api.get('/contacts/export?columns=custom_fields.secret')).status).toBe(422);
      expect((await api.get('/contacts/export?columns=a&columns=b')).body.errors).toEqual({
        columns: ['columns must be a string'],
      });
    });

    it('begin with a byte order mark if the client asks for it, and can be imported again', async () => {
      await given.contact({ email: 'zoe@example.com', first_name: 'Zoë' });
      expect((await textOf('/contacts/export?columns=email,first_name')).startsWith('email,')).toBe(true);
      const text = await textOf('/contacts/export?columns=email,first_name&bom=1');
      expect(text).toBe('\ufeffemail,first_name\nzoe@example.com,Zoë\n');
      const form = new FormData();
      form.set('file', new Blob([text]), 'contacts.csv');
      expect((await api.post('/contacts/import', form)).data).toMatchObject({ total: 1, skipped: 1, failed: 0 });
      expect((await api.get('/contacts/export?bom=yes')).body.errors).toEqual({ bom: expect.any(Array) });
    });

    it('quote what a reader with another separator would split, and show a computable phone number as text', async () => {
      const fields = { first_name: 'a;b', last_name: 'c\td', company: '=1+1', phone: '+1-202-555-0143' };
      await given.contact({ email: 'ann@example.com', ...fields });
      expect(await textOf('/contacts/export?columns=first_name,last_name,company,phone')).toBe(
        `first_name,last_name,company,phone\n"a;b","c\td",'=1+1,'+1-202-555-0143\n`,
      );
    });
  });

  describe('of the messages of a campaign', () => {
    const path = (id: number, query = '') => `/campaigns/${id}/messages/export${query}`;

    it('have the address and the names of each contact, and the filters of the list', async () => {
      const ann = await given.contact({ email: 'ann@example.com', first_name: '=Ann', last_name: 'Lee; x' });
      const { id: messageId, campaign } = await given.sentMessage(ann.id);
      await service.database.query(
        `UPDATE messages SET opened_at = now(), subject = 'Hello, Ann', reason = '-1-1' WHERE id = $1`,
        [messageId],
      );
      const [message] = (await api.get(`/campaigns/${campaign.id}/messages`)).data as Schema<'Message'>[];
      const [header = [], ...rows] = await exported(path(campaign.id));
      expect(rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])))).toEqual([
        {
          ...Object.fromEntries(Object.entries(message ?? {}).map(([name, value]) => [name, String(value ?? '')])),
          first_name: "'=Ann",
          last_name: 'Lee; x',
          reason: "'-1-1",
        },
      ]);
      const count = async (query: string) => (await exported(path(campaign.id, query))).length - 1;
      expect([await count('?opened=1'), await count('?opened=0'), await count('?clicked=1')]).toEqual([1, 0, 0]);
      expect([await count('?status=sent'), await count('?status=queued')]).toEqual([1, 0]);
      expect([await count(`?contact_id=${ann.id}`), await count('?per_page=1&page=9')]).toEqual([1, 1]);
      expect((await textOf(path(campaign.id, '?bom=1'))).startsWith('\ufeffemail,first_name,last_name,')).toBe(true);
      const { headers } = await api.get(path(campaign.id));
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        'text/csv; charset=utf-8',
        `attachment; filename="campaign-${campaign.id}-messages.csv"`,
      ]);
    });

    it('list queued and sent messages of that campaign alone, in the order of the list, over many batches', async () => {
      const contacts = await given.contacts(250);
      const campaign = await given.campaign();
      await given.sentMessage(contacts[0] ?? 0);
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts });
      const columns = 'workspace_id, campaign_id, enrollment_id, contact_id, created_at';
      const values = `workspace_id, campaign_id, id, contact_id, now() - make_interval(secs => id % 7)`;
      for (const [table, status, remainder] of [
        ['messages', 'sent', 0] as const,
        ['queued_messages', 'queued', 1] as const,
      ]) {
        await service.database.query(
          `INSERT INTO ${table} (${columns}, status) SELECT ${values}, '${status}' FROM enrollments
           WHERE campaign_id = $1 AND id % 2 = ${remainder}`,
          [campaign.id],
        );
      }
      const pages = await Promise.all(
        [1, 2, 3].map((page) => api.get(`/campaigns/${campaign.id}/messages?per_page=100&page=${page}`)),
      );
      const listed = pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => String(id)));
      const [header = [], ...rows] = await exported(path(campaign.id));
      expect(rows.map((row) => row[header.indexOf('id')])).toEqual(listed);
      expect(listed).toHaveLength(250);
    });

    it('need campaigns:read and a campaign of the workspace, and refuse wrong filters', async () => {
      const campaign = await given.campaign();
      const writer = await service.client(['campaigns:write', 'contacts:read']);
      expect((await writer.get(path(campaign.id))).status).toBe(403);
      expect((await (await service.client()).get(path(campaign.id))).status).toBe(404);
      expect((await api.get(path(UNKNOWN_ID))).status).toBe(404);
      const { status, body } = await api.get(path(campaign.id, `?status=lost&contact_id=${UNKNOWN_ID}&opened=x`));
      expect([status, Object.keys(body.errors as object).sort()]).toEqual([422, ['contact_id', 'opened', 'status']]);
      expect((await api.post(path(campaign.id))).status).toBe(405);
    });
  });
});
