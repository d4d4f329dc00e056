import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError, TIMESTAMP, UNKNOWN_ID, validationError } from '../support/expected.js';
import { Given, type Groups } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { useSharedService } from '../support/service.js';

const DATES = { created_at: expect.stringMatching(TIMESTAMP), updated_at: expect.stringMatching(TIMESTAMP) };

const names = (response: { data: { name: string }[] }) => response.data.map(({ name }) => name);

describe('Lists, tags, companies and custom fields', () => {
  const service = useSharedService();
  let api: ApiClient;
  let other: ApiClient;
  let given: Given;
  let published: PublishedEvent[];

  beforeAll(() => {
    published = recordContactEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    other = await service.client();
    given = new Given(api, service.database);
    published.length = 0;
  });

  const made = <Path extends keyof Groups>(path: Path, body: object) => given.group(path, body);

  describe.each<{ path: keyof Groups; name: string; shape: object }>([
    { path: '/lists', name: 'list', shape: { name: 'A', description: null, contacts_count: 0 } },
    { path: '/tags', name: 'tag', shape: { name: 'A', color: null } },
    {
      path: '/companies',
      name: 'company',
      shape: { name: 'A', domain: null, website: null, industry: null, contacts_count: 0 },
    },
  ])('$path', ({ path, shape }) => {
    it('creates, reads, updates and deletes a record', async () => {
      const created = await api.post(path, { name: ' A ', id: 7, created_at: null });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({ data: { id: expect.any(Number), ...shape, ...DATES } });
      const { id } = created.data;
      expect(await api.get(`${path}/${id}`)).toMatchObject({ status: 200, body: created.body });
      expect(await api.put(`${path}/${id}`, {})).toMatchObject({ status: 200, body: created.body });
      const renamed = await api.put(`${path}/${id}`, { name: 'B' });
      expect(renamed.status).toBe(200);
      expect(renamed.body).toEqual({ data: { ...created.data, name: 'B', updated_at: expect.any(String) } });
      expect(await api.delete(`${path}/${id}`)).toMatchObject({ status: 204, body: '' });
      for (const request of [
        api.get(`${path}/${id}`),
        api.put(`${path}/${id}`, { name: 7 }),
        api.delete(`${path}/${id}`),
      ]) {
        expect(await request).toMatchObject({ status: 404, body: httpError(404) });
      }
    });

    it('is separate for each workspace', async () => {
      const { id } = await made(path, { name: 'A' });
      expect((await other.get(`${path}/${id}`)).status).toBe(404);
      expect((await other.put(`${path}/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await other.delete(`${path}/${id}`)).status).toBe(404);
      expect((await other.get(path)).body.meta.total).toBe(0);
      expect((await other.post(path, { name: 'A' })).status).toBe(201);
      expect((await api.get(`${path}/${id}`)).data.name).toBe('A');
    });

    it('returns 422 for a missing, empty, overlong or malformed name', async () => {
      const { id } = await made(path, { name: 'Original' });
      for (const name of [undefined, null, '', '  ', 7, ['a'], 'x'.repeat(256), 'a\0']) {
        expect((await api.post(path, { name })).body).toEqual(validationError('name'));
        if (name !== undefined)
          expect((await api.put(`${path}/${id}`, { name })).body).toEqual(validationError('name'));
      }
      expect((await api.post(path, { name: '🎈'.repeat(255) })).status).toBe(201);
      expect((await api.post(path, undefined)).body).toEqual(validationError('name'));
    });

    it('lists records newest first, and searches and sorts by name', async () => {
      for (const name of ['Beta one', 'Alpha', 'Beta two']) await made(path, { name });
      const all = await api.get(path);
      expect(names(all)).toEqual(['Beta two', 'Alpha', 'Beta one']);
      expect(all.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 25, total: 3, count: 3 });
      expect(names(await api.get(`${path}?search=BETA+two`))).toEqual(['Beta two']);
      expect(names(await api.get(`${path}?search=%25`))).toEqual([]);
      expect(names(await api.get(`${path}?sort=name&direction=asc`))).toEqual(['Alpha', 'Beta one', 'Beta two']);
      expect(names(await api.get(`${path}?sort=updated_at&direction=asc&per_page=1&page=2`))).toEqual(['Alpha']);
      expect((await api.get(`${path}?sort=id`)).body).toEqual(validationError('sort'));
      expect((await api.get(`${path}?per_page=0&direction=x`)).body).toEqual(validationError('per_page', 'direction'));
    });

    it('requires contacts:read and contacts:write', async () => {
      const reader = await service.client(['contacts:read']);
      const writer = await service.client(['contacts:write']);
      expect((await reader.get(path)).status).toBe(200);
      expect((await writer.get(path)).status).toBe(403);
      expect((await reader.post(path, { name: 'A' })).status).toBe(403);
      const { status, data } = await writer.post(path, { name: 'A' });
      expect(status).toBe(201);
      expect((await writer.get(`${path}/${data.id}`)).status).toBe(403);
      expect((await writer.put(`${path}/${data.id}`, { name: 'B' })).status).toBe(200);
      expect((await writer.delete(`${path}/${data.id}`)).status).toBe(204);
    });
  });

  describe.each<{ path: keyof Groups; embedded: string; filter: string }>([
    { path: '/lists', embedded: 'lists', filter: 'list_id' },
    { path: '/tags', embedded: 'tags', filter: 'tag_id' },
  ])('$path and their members', ({ path, embedded, filter }) => {
    it('return 409 for a taken name', async () => {
      await made(path, { name: 'A' });
      const { id } = await made(path, { name: 'B' });
      expect(await api.post(path, { name: ' A' })).toMatchObject({ status: 409, body: httpError(409, 'name_taken') });
      expect(await api.put(`${path}/${id}`, { name: 'A' })).toMatchObject({
        status: 409,
        body: httpError(409, 'name_taken'),
      });
      expect((await api.put(`${path}/${id}`, { name: 'B' })).status).toBe(200);
      expect((await api.post(path, { name: 'a' })).status).toBe(201);
      const responses = await Promise.all(Array.from({ length: 4 }, () => api.post(path, { name: 'Same' })));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    });

    it('are added and removed by contact IDs', async () => {
      const group = await made(path, { name: 'A' });
      const ids = await given.contacts(3);
      const added = await api.post(`${path}/${group.id}/contacts`, { contact_ids: ids.slice(0, 2) });
      expect(added).toMatchObject({ status: 200, body: { data: { added: 2, skipped: 0 } } });
      const again = await api.post(`${path}/${group.id}/contacts`, { contact_ids: [...ids, ids[2]] });
      expect(again.body).toEqual({ data: { added: 1, skipped: 3 } });
      expect((await api.get(`/contacts?${filter}=${group.id}`)).body.meta.total).toBe(3);
      expect((await api.get(`/contacts/${ids[0]}`)).data[embedded]).toMatchObject([{ id: group.id, name: 'A' }]);
      const removed = await api.delete(`${path}/${group.id}/contacts`, { contact_ids: [ids[0], ids[0], UNKNOWN_ID] });
      expect(removed).toMatchObject({ status: 200, body: { data: { removed: 1, not_found: 2 } } });
      expect((await api.get(`/contacts?${filter}=${group.id}`)).body.meta.total).toBe(2);
      expect(published).toEqual([
        { name: 'contact.updated', ids: ids.slice(0, 2) },
        { name: 'contact.updated', ids: ids.slice(2) },
        { name: 'contact.updated', ids: ids.slice(0, 1) },
      ]);
    });

    it('can only be contacts of the workspace', async () => {
      const group = await made(path, { name: 'A' });
      const [own] = await given.contacts(1);
      const stranger = (await other.post('/contacts', { email: 'eve@example.com' })).body.id;
      const { status, body } = await api.post(`${path}/${group.id}/contacts`, {
        contact_ids: [own, stranger, UNKNOWN_ID],
      });
      expect(status).toBe(422);
      expect(body).toEqual(validationError('contact_ids.1', 'contact_ids.2'));
      const removed = await api.delete(`${path}/${group.id}/contacts`, { contact_ids: [stranger] });
      expect(removed.data).toEqual({ removed: 0, not_found: 1 });
      for (const call of ['post', 'delete'] as const) {
        expect((await other[call](`${path}/${group.id}/contacts`, { contact_ids: 'x' })).status).toBe(404);
      }
      expect((await api.get(`/contacts?${filter}=${group.id}`)).body.meta.total).toBe(0);
      expect(published).toHaveLength(1);
    });

    it.each([
      [{}, 'contact_ids'],
      [{ contact_ids: null }, 'contact_ids'],
      [{ contact_ids: 7 }, 'contact_ids'],
      [{ contact_ids: { 0: 7 } }, 'contact_ids'],
      [{ contact_ids: ['7'] }, 'contact_ids.0'],
      [{ contact_ids: [0] }, 'contact_ids.0'],
      [{ contact_ids: [2 ** 53] }, 'contact_ids.0'],
      [{ contact_ids: Array.from({ length: 1001 }, (_, n) => n + 1) }, 'contact_ids'],
      [{ contact_ids: Array<number>(1001).fill(0) }, 'contact_ids'],
    ])('are refused with 422 for the body %j', async (body, field) => {
      const { id } = await made(path, { name: 'A' });
      expect((await api.post(`${path}/${id}/contacts`, body)).body).toEqual(validationError(field));
      expect((await api.delete(`${path}/${id}/contacts`, body)).body).toEqual(validationError(field));
    });

    it('are at most 1,000 per call, and may be none', async () => {
      const { id } = await made(path, { name: 'A' });
      const contact_ids = await given.contacts(1000);
      expect((await api.post(`${path}/${id}/contacts`, { contact_ids })).data).toEqual({ added: 1000, skipped: 0 });
      expect((await api.delete(`${path}/${id}/contacts`, { contact_ids })).data).toEqual({
        removed: 1000,
        not_found: 0,
      });
      expect((await api.post(`${path}/${id}/contacts`, { contact_ids: [] })).data).toEqual({ added: 0, skipped: 0 });
    });

    it('are not deleted with the list or tag', async () => {
      const { id } = await made(path, { name: 'A' });
      const ada = await given.contact({ [embedded]: [id] });
      expect((await api.delete(`${path}/${id}`)).status).toBe(204);
      expect((await api.get(`/contacts/${ada.id}`)).data).toEqual({ ...ada, [embedded]: [] });
      expect((await api.get(`/contacts?${filter}=${id}`)).body).toEqual(validationError(filter));
    });
  });

  it('show the number of contacts of lists and companies', async () => {
    const company = await made('/companies', { name: 'Acme' });
    const list = await made('/lists', { name: 'Leads' });
    const ada = await given.contact({ company_id: company.id, lists: [list.id] });
    await given.contact({ company_id: company.id, lists: [list.id] });
    const counts = async () => [
      (await api.get('/companies')).data[0].contacts_count,
      (await api.get(`/companies/${company.id}`)).data.contacts_count,
      (await api.get('/lists')).data[0].contacts_count,
      (await api.put(`/lists/${list.id}`, { description: 'x' })).data.contacts_count,
      (await api.put(`/companies/${company.id}`, { industry: 'x' })).data.contacts_count,
    ];
    expect(await counts()).toEqual([2, 2, 2, 2, 2]);
    await api.put(`/contacts/${ada.id}`, { company_id: null, lists: [] });
    expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  });

  describe('fields of lists and tags', () => {
    it('have descriptions of at most 1,000 characters', async () => {
      const { id, description } = await made('/lists', { name: 'A', description: 'x'.repeat(1000) });
      expect(description).toHaveLength(1000);
      expect((await api.put(`/lists/${id}`, { description: null })).data.description).toBeNull();
      expect((await api.put(`/lists/${id}`, { description: 'x'.repeat(1001) })).body).toEqual(
        validationError('description'),
      );
      expect((await api.put(`/lists/${id}`, { description: 7 })).body).toEqual(validationError('description'));
    });

    it('include a colour as #rrggbb', async () => {
      const { id, color } = await made('/tags', { name: 'A', color: '#1e90FF' });
      expect(color).toBe('#1e90FF');
      for (const wrong of ['red', '#fff', '#1e90ff0', '#1e90fg', '1e90ff', 7, ['#1e90ff']]) {
        expect((await api.put(`/tags/${id}`, { color: wrong })).body).toEqual(validationError('color'));
      }
      expect((await api.put(`/tags/${id}`, { color: null })).data.color).toBeNull();
    });
  });

  describe('companies', () => {
    it('have a domain, a website and an industry', async () => {
      const fields = { domain: 'acme.co.uk', website: 'https://acme.co.uk/about?x=1', industry: 'Rockets' };
      const company = await made('/companies', { name: 'Acme', ...fields });
      expect(company).toMatchObject(fields);
      const cleared = await api.put(`/companies/${company.id}`, { domain: null, website: '', industry: null });
      expect(cleared.data).toMatchObject({ name: 'Acme', domain: null, website: null, industry: null });
      expect((await api.post('/companies', { name: 'Acme' })).status).toBe(201);
    });

    it.each([
      ['domain', 'http://acme.com'],
      ['domain', 'acme'],
      ['domain', 'acme.com/x'],
      ['domain', 'acme.com:80'],
      ['domain', 'ac me.com'],
      ['domain', '-acme.com'],
      ['domain', 'acme..com'],
      ['domain', '127.0.0.1'],
      ['domain', '[::1]'],
      ['domain', `${'a'.repeat(64)}.com`],
      ['domain', 7],
      ['website', 'acme.com'],
      ['website', 'ftp://acme.com'],
      ['website', 'javascript:alert(1)'],
      ['website', 'https://'],
      ['website', 'https://a b'],
      ['website', `https://acme.com/${'x'.repeat(490)}`],
      ['website', {}],
      ['industry', 'x'.repeat(256)],
    ])('return 422 for %s %j', async (field, value) => {
      expect((await api.post('/companies', { name: 'Acme', [field]: value })).body).toEqual(validationError(field));
    });

    it('are unlinked from their contacts when deleted, while the text in `company` stays', async () => {
      const { id } = await made('/companies', { name: 'Acme' });
      const ada = await given.contact({ company: 'Acme', company_id: id });
      expect((await api.delete(`/companies/${id}`)).status).toBe(204);
      expect((await api.get(`/contacts/${ada.id}`)).data).toEqual({
        ...ada,
        company_id: null,
        updated_at: expect.any(String),
      });
      expect((await api.put(`/contacts/${ada.id}`, { company_id: id })).body).toEqual(validationError('company_id'));
    });

    it('cause no 5xx if contacts are linked while the company is being deleted', async () => {
      const { id } = await made('/companies', { name: 'Acme' });
      const contacts = await Promise.all(Array.from({ length: 8 }, () => given.contact()));
      const responses = await Promise.all([
        ...contacts.slice(0, 4).map((contact) => api.put(`/contacts/${contact.id}`, { company_id: id })),
        api.delete(`/companies/${id}`),
        ...contacts.slice(4).map((contact) => api.put(`/contacts/${contact.id}`, { company_id: id })),
      ]);
      expect(responses[4]?.status).toBe(204);
      for (const { status } of responses) expect([200, 204, 409, 422]).toContain(status);
      expect((await api.get('/contacts')).data.every((contact: Schema<'Contact'>) => contact.company_id === null)).toBe(
        true,
      );
    });
  });

  describe('custom fields', () => {
    it('are created, read, relabelled and deleted', async () => {
      const created = await api.post('/custom-fields', { key: 'plan', label: 'Plan', type: 'text', id: 9 });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        data: { id: expect.any(Number), key: 'plan', label: 'Plan', type: 'text', ...DATES },
      });
      const { id } = created.data;
      expect((await api.get(`/custom-fields/${id}`)).body).toEqual(created.body);
      const changed = await api.put(`/custom-fields/${id}`, { label: 'Tariff', key: 'plan', type: 'text' });
      expect(changed.body).toEqual({ data: { ...created.data, label: 'Tariff', updated_at: expect.any(String) } });
      expect((await api.put(`/custom-fields/${id}`, {})).data.label).toBe('Tariff');
      expect((await api.put(`/custom-fields/${id}`, { label: null })).data.label).toBe('plan');
      expect((await api.put(`/custom-fields/${id}`, { label: 'x'.repeat(256) })).body).toEqual(
        validationError('label'),
      );
      expect((await api.delete(`/custom-fields/${id}`)).status).toBe(204);
      expect((await api.delete(`/custom-fields/${id}`)).status).toBe(404);
      expect((await api.put(`/custom-fields/${id}`, { label: 7 })).status).toBe(404);
    });

    it.each([
      [{}, ['key', 'type']],
      [{ key: '', type: 'text' }, ['key']],
      [{ key: 'a b', type: 'text' }, ['key']],
      [{ key: 'é', type: 'text' }, ['key']],
      [{ key: 'constructor', type: 'text' }, ['key']],
      [{ key: '__proto__', type: 'text' }, ['key']],
      [{ key: 'x'.repeat(65), type: 'text' }, ['key']],
      [{ key: 7, type: 'string' }, ['key', 'type']],
      [{ key: 'a', type: 'text', label: 7 }, ['label']],
    ])('are refused with 422 for %j', async (body, fields) => {
      const response = await api.post('/custom-fields', body);
      expect(response.status).toBe(422);
      expect(Object.keys(response.body.errors).sort()).toEqual([...fields].sort());
    });

    it('use the key as the default label, and return 409 for a taken key', async () => {
      expect(await made('/custom-fields', { key: 'Plan-1_b', type: 'date' })).toMatchObject({ label: 'Plan-1_b' });
      expect((await api.post('/custom-fields', { key: 'Plan-1_b', type: 'text' })).body).toEqual(
        httpError(409, 'key_taken'),
      );
      expect((await api.post('/custom-fields', { key: 'plan-1_b', type: 'text' })).status).toBe(201);
      expect((await other.post('/custom-fields', { key: 'Plan-1_b', type: 'text' })).status).toBe(201);
    });

    it('restrict the values of contacts to the chosen type', async () => {
      await made('/custom-fields', { key: 'since', type: 'date' });
      await made('/custom-fields', { key: 'note', type: 'text' });
      const { body } = await api.post('/contacts', {
        email: 'a@example.com',
        custom_fields: { since: 'soon', note: '2026-01-01' },
      });
      expect(body).toEqual(validationError('custom_fields.since'));
    });

    it('are listed, searched and sorted', async () => {
      await given.contact({ custom_fields: { plan: 'x', seats: 1 } });
      await made('/custom-fields', { key: 'zip', label: 'Planet', type: 'text' });
      const keys = async (query: string) =>
        (await api.get(`/custom-fields?${query}`)).data.map(({ key }: Schema<'CustomField'>) => key);
      expect(await keys('sort=key&direction=asc')).toEqual(['plan', 'seats', 'zip']);
      expect(await keys('search=PLAN&sort=label')).toEqual(['zip', 'plan']);
      expect(await keys('search=PLAN&sort=label&direction=asc')).toEqual(['plan', 'zip']);
      expect(await keys('sort=type&direction=asc')).toEqual(['plan', 'zip', 'seats']);
      expect((await other.get('/custom-fields')).body.meta.total).toBe(0);
    });

    it('are deleted together with their values, in this workspace and for this key only', async () => {
      const { new_custom_fields: _, ...ada } = await given.contact({ custom_fields: { plan: 'x', seats: 1 } });
      const bob = await given.contact();
      const added = await other.post('/contacts', { email: 'e@example.com', custom_fields: { plan: 'y' } });
      const { new_custom_fields: __, ...eve } = added.body;
      const plan = (await api.get('/custom-fields?search=plan')).data[0];
      expect((await other.delete(`/custom-fields/${plan.id}`)).status).toBe(404);
      expect((await api.delete(`/custom-fields/${plan.id}`)).status).toBe(204);
      expect((await api.get(`/contacts/${ada.id}`)).data).toEqual({
        ...ada,
        custom_fields: { seats: 1 },
        updated_at: expect.any(String),
      });
      expect((await api.get(`/contacts/${bob.id}`)).data).toEqual(bob);
      expect((await other.get(`/contacts/${eve.id}`)).data).toEqual(eve);
    });

    it('leave no value behind if contacts get values while the field is being deleted', async () => {
      await given.contact({ custom_fields: { plan: 'x' } });
      const plan = (await api.get('/custom-fields')).data[0];
      const responses = await Promise.all([
        ...Array.from({ length: 4 }, () => given.contact({ custom_fields: { plan: 'y' } })),
        api.delete(`/custom-fields/${plan.id}`),
        ...Array.from({ length: 4 }, () => given.contact({ custom_fields: { plan: 'z' } })),
      ]);
      expect((responses[4] as ApiResponse).status).toBe(204);
      const defined = (await api.get('/custom-fields')).data.length;
      const contactsWithPlan = (await api.get('/contacts')).data.filter(
        (contact: Schema<'Contact'>) => 'plan' in contact.custom_fields,
      );
      expect(contactsWithPlan.length > 0).toBe(defined === 1);
      expect((await api.get(`/custom-fields/${plan.id}`)).status).toBe(404);
    });
  });
});
