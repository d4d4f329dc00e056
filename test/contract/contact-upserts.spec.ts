import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError, validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { useSharedService } from '../support/service.js';

const CONCURRENT = 12;

describe('Upserts of one contact', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let published: PublishedEvent[];

  beforeAll(() => {
    published = recordContactEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    published.length = 0;
  });

  const byEmail = (email: string, body?: unknown) => api.put(`/contacts/by-email/${encodeURIComponent(email)}`, body);
  const byId = (id: string, body?: unknown) => api.put(`/contacts/by-external-id/${encodeURIComponent(id)}`, body);
  const stored = async (id: number): Promise<Schema<'Contact'>> => (await api.get(`/contacts/${id}`)).data;
  const total = async (): Promise<number> => (await api.get('/contacts')).body.meta.total;
  const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).sort();

  describe('GET by a key', () => {
    it('returns the contact with its tags, by the address in any case or by the exact external ID', async () => {
      const tag = (await api.post('/tags', { name: 'VIP' })).data.id;
      const fields = { email: 'ada+x@example.com', external_id: 'CRM/7 é', tags: [tag] };
      const ada = await given.contact(fields);
      await given.contact();
      const byAddress = await api.get(`/contacts/by-email/${encodeURIComponent(' Ada+X@Example.com ')}`);
      expect([byAddress.status, byAddress.data]).toEqual([200, ada]);
      expect((await api.get(`/contacts/by-external-id/${encodeURIComponent('CRM/7 é')}`)).data).toEqual(ada);
      expect((await api.get('/contacts?email=ADA%2Bx@example.com')).data).toEqual([ada]);
      expect((await api.get('/contacts?email=ada@example.com')).body).toMatchObject({ data: [], meta: { total: 0 } });
      expect((await api.get('/contacts?email=ada')).body).toEqual(validationError('email'));
    });

    it.each([
      'by-email/eve@example.com',
      'by-email/eve',
      'by-email/%00',
      'by-external-id/crm%2F7',
      'by-external-id/%00',
      `by-external-id/${'x'.repeat(300)}`,
    ])('returns 404 for a key that no contact of the workspace has: %s', async (path) => {
      const other = await service.client();
      await other.post('/contacts', { email: 'eve@example.com', external_id: 'crm/7' });
      expect((await api.get(`/contacts/${path}`)).status).toBe(404);
    });
  });

  describe('PUT /contacts/by-email/{email}', () => {
    it('creates the contact with 201, then updates it with 200', async () => {
      const tag = (await api.post('/tags', { name: 'VIP' })).data.id;
      const created = await byEmail('ada@example.com', { first_name: 'Ada', custom_fields: { plan: 'pro' } });
      expect(created).toMatchObject({ status: 201, body: { data: { email: 'ada@example.com', first_name: 'Ada' } } });
      expect(published).toEqual([{ name: 'contact.created', ids: [created.data.id] }]);
      published.length = 0;
      const updated = await byEmail('ada@example.com', { last_name: 'L', custom_fields: { seats: 2 }, tags: [tag] });
      expect(updated.status).toBe(200);
      expect(updated.data).toMatchObject({
        id: created.data.id,
        first_name: 'Ada',
        last_name: 'L',
        custom_fields: { plan: 'pro', seats: 2 },
        tags: [{ id: tag }],
      });
      expect(published).toEqual([{ name: 'contact.updated', ids: [created.data.id] }]);
      expect(updated.data).toEqual({ ...(await stored(created.data.id)), new_custom_fields: ['seats'] });
    });

    it('takes the address in any case, with spaces around it, and without a body', async () => {
      const { data, status } = await byEmail(' Ada+x@Example.COM ');
      expect([status, data.email]).toEqual([201, 'ada+x@example.com']);
      const again = await byEmail('ADA+X@example.com');
      expect([again.status, again.data]).toEqual([200, data]);
    });

    it('gives the contact the address of the body, also a new one', async () => {
      const { data } = await byEmail('ada@example.com', { email: 'Ada@new.example' });
      expect(data.email).toBe('ada@new.example');
      const renamed = await byEmail('ada@new.example', { email: 'ada@newer.example' });
      expect([renamed.status, renamed.data.id, renamed.data.email]).toEqual([200, data.id, 'ada@newer.example']);
      expect(await total()).toBe(1);
    });

    it('returns 409 if another contact has the new address or the external ID, and changes nothing', async () => {
      const bob = await given.contact({ email: 'bob@example.com', external_id: 'b' });
      const ada = await given.contact({ email: 'ada@example.com' });
      for (const email of ['ada@example.com', 'new@example.com']) {
        expect(await byEmail(email, { email: 'bob@example.com' })).toMatchObject({
          status: 409,
          body: httpError(409, 'email_taken'),
        });
        expect(await byEmail(email, { external_id: 'b' })).toMatchObject({
          status: 409,
          body: httpError(409, 'external_id_taken'),
        });
      }
      expect([await stored(bob.id), await stored(ada.id), await total()]).toEqual([bob, ada, 2]);
    });

    it.each(['nobody', 'a b@example.com', 'a@b', `${'a'.repeat(250)}@example.com`, '\0@example.com', ' ', '%'])(
      'returns 422 on email for the path %j',
      async (email) => {
        expect(await byEmail(email, {})).toMatchObject({ status: 422, body: validationError('email') });
        expect((await byEmail(email, { first_name: 5, tags: [0] })).body).toEqual(
          validationError('email', 'first_name', 'tags.0'),
        );
      },
    );

    it('names all wrong fields, those of the stored contact too', async () => {
      const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]));
      await given.contact({ email: 'ada@example.com', custom_fields: fields });
      const { body } = await byEmail('ada@example.com', { custom_fields: { more: 1 }, tags: [99], nickname: 'A' });
      expect(body).toEqual(validationError('custom_fields', 'tags.0', 'nickname'));
      expect((await byEmail('new@example.com', { email: null })).body).toEqual(validationError('email'));
    });

    it('applies a remembered refusal to a contact that it creates', async () => {
      const { id } = await given.contact({ email: 'ada@example.com' });
      await api.post(`/contacts/${id}/unsubscribe`);
      await api.delete(`/contacts/${id}`);
      expect((await byEmail('ada@example.com')).data.status).toBe('unsubscribed');
    });

    it('sets the date and the source of a consent that differs', async () => {
      await byEmail('ada@example.com', { tracking_consent: 'granted', tracking_consent_source: 'Form' });
      const { data } = await byEmail('ada@example.com', { tracking_consent: 'refused' });
      expect(data).toMatchObject({ tracking_consent: 'refused', tracking_consent_source: null });
      const { data: activity } = await api.get(`/contacts/${data.id}/activity?type=contact.consent_changed`);
      expect(activity.map((each: Schema<'Activity'>) => each.data)).toEqual([
        { from: 'granted', to: 'refused', source: 'api' },
        { from: 'unknown', to: 'granted', source: 'api' },
      ]);
    });

    it('creates one contact if it is sent many times at once, and updates it with the others', async () => {
      for (let round = 0; round < 5; round += 1) {
        const responses = await Promise.all(
          Array.from({ length: CONCURRENT }, (_, n) =>
            byEmail(`new${round}@example.com`, { external_id: `id${round}`, custom_fields: { [`k${n}`]: n } }),
          ),
        );
        expect(statuses(responses)).toEqual([...Array.from({ length: CONCURRENT - 1 }, () => 200), 201]);
        const [record] = responses;
        expect(Object.keys((await stored(record?.data.id)).custom_fields)).toHaveLength(CONCURRENT);
      }
      expect(await total()).toBe(5);
    });

    it('updates the contact that a POST creates at the same time', async () => {
      for (let round = 0; round < 8; round += 1) {
        const email = `both${round}@example.com`;
        const [created, upserted] = await Promise.all([api.post('/contacts', { email }), byEmail(email)]);
        expect([
          [201, 200],
          [409, 201],
        ]).toContainEqual([created.status, upserted.status]);
      }
    });

    it('cannot change contacts of other workspaces', async () => {
      const other = await service.client();
      const theirs = (await other.post('/contacts', { email: 'ada@example.com', external_id: 'a' })).body;
      expect((await byEmail('ada@example.com', { first_name: 'Mine' })).status).toBe(201);
      expect((await byId('a', { email: 'b@example.com' })).status).toBe(201);
      expect((await other.get(`/contacts/${theirs.id}`)).data).toEqual(theirs);
    });

    it('requires contacts:write, and is 405 for other methods', async () => {
      const reader = await service.client(['contacts:read']);
      expect((await reader.put('/contacts/by-email/a@example.com', {})).status).toBe(403);
      expect((await api.post('/contacts/by-email/a@example.com')).status).toBe(405);
      expect((await api.put('/contacts/by-email', {})).status).toBe(404);
    });
  });

  describe('PUT /contacts/by-external-id/{id}', () => {
    it('creates the contact with 201, then updates it with 200', async () => {
      const id = 'CRM/4711 é?#%';
      const created = await byId(id, { email: 'ada@example.com' });
      expect([created.status, created.data.external_id]).toEqual([201, id]);
      const updated = await byId(id, { first_name: 'Ada' });
      expect([updated.status, updated.data.id, updated.data.first_name]).toEqual([200, created.data.id, 'Ada']);
      expect((await byId(id.toLowerCase(), {})).status).toBe(422);
      expect(updated.data).toEqual(await stored(created.data.id));
    });

    it('needs an address for a new contact, and can change both keys of a stored one', async () => {
      expect(await byId('a', { first_name: 'Ada' })).toMatchObject({ status: 422, body: validationError('email') });
      expect((await byId('a', { email: 5 })).body).toEqual(validationError('email'));
      await byId('a', { email: 'ada@example.com' });
      const { data } = await byId('a', { email: 'ada@new.example', external_id: 'b' });
      expect([data.email, data.external_id]).toEqual(['ada@new.example', 'b']);
      expect((await byId('b', { external_id: null })).data.external_id).toBeNull();
    });

    it('returns 409 if another contact has the address', async () => {
      await given.contact({ email: 'ada@example.com' });
      expect(await byId('a', { email: 'ada@example.com' })).toMatchObject({
        status: 409,
        body: httpError(409, 'email_taken'),
      });
    });

    it.each([' ', 'x'.repeat(256), 'a\0b'])('returns 422 on external_id for the path %j', async (id) => {
      const { status, body } = await byId(id, { email: 'ada@example.com' });
      expect([status, body]).toEqual([422, validationError('external_id')]);
    });

    it('counts code points, not UTF-16 units', async () => {
      expect((await byId('🎈'.repeat(255), { email: 'ada@example.com' })).status).toBe(201);
    });

    it('creates one contact if it is sent many times at once, and updates it with the others', async () => {
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, n) => byId('once', { email: 'ada@example.com', phone: String(n) })),
      );
      expect(statuses(responses)).toEqual([...Array.from({ length: CONCURRENT - 1 }, () => 200), 201]);
      expect(await total()).toBe(1);
    });
  });
});
