import { ContactStatuses } from '../../src/contacts/index.js';
import { sql } from '../../src/platform/database/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError, TIMESTAMP, UNKNOWN_ID, validationError } from '../support/expected.js';
import { Given, type Groups } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { useSharedService } from '../support/service.js';

const FIELDS = [
  'id',
  'email',
  'external_id',
  'first_name',
  'last_name',
  'full_name',
  'company',
  'company_id',
  'phone',
  'job_title',
  'linkedin_url',
  'timezone',
  'lifecycle_stage',
  'status',
  'tracking_consent',
  'tracking_consent_at',
  'tracking_consent_source',
  'custom_fields',
  'subscribed_at',
  'unsubscribed_at',
  'paused_until',
  'created_at',
  'updated_at',
  'tags',
  'lists',
];

const emails = (records: { email: string }[]) => records.map(({ email }) => email);

describe('Contacts', () => {
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

  const made = <Path extends keyof Groups>(path: Path, body: object, client = api) =>
    new Given(client, service.database).group(path, body);
  const setStatus = (id: number, status: string) =>
    service.database.query('UPDATE contacts SET status = $1 WHERE workspace_id = $2 AND id = $3', [
      status,
      api.workspaceId,
      id,
    ]);

  describe('POST /contacts', () => {
    it('returns 201 with all fields of the record, without an envelope', async () => {
      const { status, body } = await api.post('/contacts', { email: 'ada@example.com' });
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(FIELDS);
      expect(body).toEqual({
        id: expect.any(Number),
        email: 'ada@example.com',
        external_id: null,
        first_name: null,
        last_name: null,
        full_name: null,
        company: null,
        company_id: null,
        phone: null,
        job_title: null,
        linkedin_url: null,
        timezone: null,
        lifecycle_stage: 'subscriber',
        status: 'active',
        custom_fields: {},
        subscribed_at: expect.stringMatching(TIMESTAMP),
        unsubscribed_at: null,
        paused_until: null,
        tracking_consent: 'unknown',
        tracking_consent_at: null,
        tracking_consent_source: null,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
        tags: [],
        lists: [],
      });
      expect(published).toEqual([{ name: 'contact.created', ids: [body.id] }]);
    });

    it('stores every field, trims texts and converts the email to lower case', async () => {
      const company = await made('/companies', { name: 'Acme' });
      const tag = await made('/tags', { name: 'VIP', color: '#1e90ff' });
      const list = await made('/lists', { name: 'Leads', description: 'New ones' });
      const { status, body } = await api.post('/contacts', {
        email: ' Émile@Example.com '.replace('É', 'e'),
        first_name: ' Émile ',
        last_name: 'Žižek 🎈',
        company: 'Acme Inc.',
        company_id: company.id,
        phone: '+33 1 23 45 67 89',
        job_title: 'CTO',
        linkedin_url: 'https://linkedin.com/in/emile',
        timezone: 'Europe/Paris',
        lifecycle_stage: 'opportunity',
        custom_fields: { plan: 'pro' },
        tags: [tag.id, tag.id],
        lists: [list.id],
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        email: 'emile@example.com',
        first_name: 'Émile',
        full_name: 'Émile Žižek 🎈',
        company: 'Acme Inc.',
        company_id: company.id,
        phone: '+33 1 23 45 67 89',
        job_title: 'CTO',
        linkedin_url: 'https://linkedin.com/in/emile',
        timezone: 'Europe/Paris',
        lifecycle_stage: 'opportunity',
        custom_fields: { plan: 'pro' },
      });
      expect(body.tags).toEqual([tag]);
      expect(body.lists).toEqual([{ ...list, contacts_count: undefined }]);
      expect(body.lists[0]).not.toHaveProperty('contacts_count');
      const { data } = await api.get(`/contacts/${body.id}`);
      expect({ ...data, new_custom_fields: ['plan'] }).toEqual(body);
    });

    it('ignores derived fields and dates in the body', async () => {
      const { status, body } = await api.post('/contacts', {
        email: 'ada@example.com',
        id: 1,
        full_name: 'X',
        subscribed_at: null,
        created_at: '2020-01-01T00:00:00Z',
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ status: 'active', full_name: null, unsubscribed_at: null });
      expect(body.created_at > '2021').toBe(true);
      expect(body.subscribed_at).not.toBeNull();
    });

    it('treats null and the empty string like an absent field', async () => {
      const { status, body } = await api.post('/contacts', {
        email: 'ada@example.com',
        first_name: null,
        last_name: '  ',
        company_id: null,
        lifecycle_stage: null,
        custom_fields: null,
        tags: null,
        lists: null,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({ first_name: null, last_name: null, lifecycle_stage: 'subscriber', tags: [] });
      expect(published).toHaveLength(1);
    });

    it.each([
      [{}, ['email']],
      [{ email: null }, ['email']],
      [{ email: '' }, ['email']],
      [{ email: 'nobody' }, ['email']],
      [{ email: 7 }, ['email']],
      [{ email: ['a@example.com'] }, ['email']],
      [{ email: `${'a'.repeat(250)}@example.com` }, ['email']],
      [{ first_name: 'x'.repeat(256) }, ['first_name']],
      [{ last_name: 7 }, ['last_name']],
      [{ company: {} }, ['company']],
      [
        { company: { constructor: 'x' }, phone: [{ constructor: 1 }] },
        ['company', 'company.constructor', 'phone', 'phone.0.constructor'],
      ],
      [{ company: 'x'.repeat(256), job_title: 'x'.repeat(256) }, ['company', 'job_title']],
      [{ phone: '1'.repeat(51) }, ['phone']],
      [{ linkedin_url: 'x'.repeat(501) }, ['linkedin_url']],
      [{ external_id: 'x'.repeat(256) }, ['external_id']],
      [{ external_id: 4711 }, ['external_id']],
      [{ timezone: 'Mars/Olympus' }, ['timezone']],
      [{ timezone: '+01:00' }, ['timezone']],
      [{ timezone: 'IST' }, ['timezone']],
      [{ timezone: 'Canada/East-Saskatchewan' }, ['timezone']],
      [{ timezone: 'SystemV/PST8PDT' }, ['timezone']],
      [{ timezone: 1 }, ['timezone']],
      [{ timezone: `Europe/${'x'.repeat(65)}` }, ['timezone']],
      [{ lifecycle_stage: 'boss' }, ['lifecycle_stage']],
      [{ company_id: '1' }, ['company_id']],
      [{ company_id: 0 }, ['company_id']],
      [{ company_id: 2 ** 53 }, ['company_id']],
      [{ company_id: 9e30 }, ['company_id']],
      [{ company_id: UNKNOWN_ID }, ['company_id']],
      [{ first_name: 'a\0b' }, ['first_name']],
      [{ first_name: '\ud800' }, ['first_name']],
      [{ custom_fields: [] }, ['custom_fields']],
      [{ custom_fields: 'x' }, ['custom_fields']],
      [{ tags: 'x' }, ['tags']],
      [{ tags: [1.5, 'x', null, [1]] }, ['tags.0', 'tags.1', 'tags.2', 'tags.3']],
      [{ tags: [UNKNOWN_ID], lists: [UNKNOWN_ID, -1] }, ['lists.0', 'lists.1', 'tags.0']],
      [{ tags: [UNKNOWN_ID, UNKNOWN_ID - 1], lists: [UNKNOWN_ID] }, ['tags.0', 'tags.1', 'lists.0']],
    ])('returns 422 for %j and names the fields', async (fields, named) => {
      const { status, body } = await api.post('/contacts', {
        email: 'ada@example.com',
        ...fields,
        ...(Object.keys(fields).length ? {} : { email: undefined }),
      });
      expect(status).toBe(422);
      expect(Object.keys(body.errors).sort()).toEqual([...named].sort());
      expect(body).toMatchObject({ error: 'ValidationError', code: 422 });
      expect((await api.get('/contacts')).body.meta.total).toBe(0);
      expect(published).toEqual([]);
    });

    it('measures lengths in code points, not in UTF-16 units', async () => {
      const { status } = await api.post('/contacts', { email: 'ada@example.com', first_name: '🎈'.repeat(255) });
      expect(status).toBe(201);
    });

    it('returns 422 for tags, lists and companies of another workspace', async () => {
      const tag = await made('/tags', { name: 'VIP' }, other);
      const list = await made('/lists', { name: 'Leads' }, other);
      const company = await made('/companies', { name: 'Acme' }, other);
      const own = await made('/tags', { name: 'Own' });
      const { status, body } = await api.post('/contacts', {
        email: 'ada@example.com',
        tags: [own.id, tag.id],
        lists: [list.id],
        company_id: company.id,
        custom_fields: { 'a b': 1 },
      });
      expect(status).toBe(422);
      expect(body).toEqual(validationError('tags.1', 'lists.0', 'company_id', 'custom_fields.a b'));
    });

    it('returns 409 if the workspace already has the email in any case, but not if another workspace has it', async () => {
      await given.contact({ email: 'ada@example.com' });
      const { status, body } = await api.post('/contacts', { email: 'ADA@example.com' });
      expect(status).toBe(409);
      expect(body).toEqual(httpError(409, 'email_taken'));
      expect((await other.post('/contacts', { email: 'ada@example.com' })).status).toBe(201);
    });

    it('returns one 201 and otherwise 409 for concurrent requests with the same email', async () => {
      const responses = await Promise.all(
        Array.from({ length: 6 }, () =>
          api.post('/contacts', { email: 'ada@example.com', custom_fields: { plan: 'a' } }),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      expect((await api.get('/contacts')).body.meta.total).toBe(1);
    });
  });

  describe('GET, PUT and DELETE /contacts/{id}', () => {
    it('returns the contact in `data`, and 404 for an unknown ID or another workspace', async () => {
      const ada = await given.contact();
      expect(await api.get(`/contacts/${ada.id}`)).toMatchObject({ status: 200, body: { data: ada } });
      const strangers = [`${ada.id}0`, 'x', '0', '-1', '1.5', '9007199254740993', '99999999999999999999'];
      for (const id of strangers) expect((await api.get(`/contacts/${id}`)).status).toBe(404);
      expect((await other.get(`/contacts/${ada.id}`)).body).toEqual(httpError(404));
    });

    it('updates only the fields of the body, and clears a field by null', async () => {
      const ada = await given.contact({
        first_name: 'Ada',
        last_name: 'Lovelace',
        phone: '1',
        timezone: 'America/New_York',
        lifecycle_stage: 'lead',
      });
      published.length = 0;
      const { status, data } = await api.put(`/contacts/${ada.id}`, {
        first_name: null,
        phone: '',
        timezone: null,
        lifecycle_stage: null,
        subscribed_at: null,
      });
      expect(status).toBe(200);
      expect(data).toEqual({
        ...ada,
        first_name: null,
        full_name: 'Lovelace',
        phone: null,
        timezone: null,
        lifecycle_stage: 'subscriber',
        updated_at: expect.stringMatching(TIMESTAMP),
      });
      expect(data.updated_at >= ada.updated_at).toBe(true);
      expect(published).toEqual([
        { name: 'contact.updated', ids: [ada.id] },
        { name: 'contact.timezone_changed', ids: [ada.id] },
      ]);
    });

    it('changes nothing and publishes no event if the body has no field that it can set', async () => {
      const ada = await given.contact();
      published.length = 0;
      for (const body of [undefined, {}, { subscribed_at: null, full_name: 'X' }]) {
        expect(await api.put(`/contacts/${ada.id}`, body)).toMatchObject({ status: 200, body: { data: ada } });
      }
      expect(published).toEqual([]);
    });

    it('replaces tags and lists by those of the body', async () => {
      const tag = (name: string) => made('/tags', { name });
      const [a, b, c] = await Promise.all([tag('a'), tag('b'), tag('c')]);
      const list = await made('/lists', { name: 'Leads' });
      const ada = await given.contact({ tags: [a.id, b.id], lists: [list.id] });
      published.length = 0;
      const changed = (await api.put(`/contacts/${ada.id}`, { tags: [c.id, b.id] })).data;
      expect(changed.tags.map(({ id }: { id: number }) => id).sort()).toEqual([b.id, c.id].sort());
      expect(changed.lists).toHaveLength(1);
      expect(changed.updated_at >= ada.updated_at).toBe(true);
      expect((await api.put(`/contacts/${ada.id}`, { tags: null, lists: [] })).data).toMatchObject({
        tags: [],
        lists: [],
      });
      expect((await api.get(`/lists/${list.id}`)).data.contacts_count).toBe(0);
      expect(published).toHaveLength(2);
    });

    it('checks 404 before validation, and validation before the conflict on email', async () => {
      const ada = await given.contact({ email: 'ada@example.com' });
      const bob = await given.contact({ email: 'bob@example.com' });
      expect((await api.put(`/contacts/${UNKNOWN_ID}`, { email: 'x' })).status).toBe(404);
      expect((await other.put(`/contacts/${ada.id}`, { first_name: 'Eve' })).status).toBe(404);
      expect((await api.put(`/contacts/${ada.id}`, { email: null })).body).toEqual(validationError('email'));
      expect((await api.put(`/contacts/${ada.id}`, { email: 'x', tags: {} })).body).toEqual(
        validationError('email', 'tags'),
      );
      expect((await api.put(`/contacts/${ada.id}`, { email: 'BOB@example.com', tags: [UNKNOWN_ID] })).status).toBe(422);
      expect((await api.put(`/contacts/${ada.id}`, { email: 'BOB@example.com' })).body).toEqual(
        httpError(409, 'email_taken'),
      );
      expect((await api.put(`/contacts/${bob.id}`, { email: 'Bob@Example.com' })).status).toBe(200);
      expect((await api.put(`/contacts/${ada.id}`, [])).status).toBe(422);
      expect((await api.get(`/contacts/${ada.id}`)).data).toEqual(ada);
    });

    it('deletes with an empty 204, publishes contact.deleted while the row exists, and returns 404 afterwards', async () => {
      const tag = await made('/tags', { name: 'VIP' });
      const ada = await given.contact({ tags: [tag.id] });
      published.length = 0;
      expect((await other.delete(`/contacts/${ada.id}`)).status).toBe(404);
      expect(await api.delete(`/contacts/${ada.id}`)).toMatchObject({ status: 204, body: '' });
      expect(published).toEqual([{ name: 'contact.deleted', ids: [ada.id] }]);
      expect((await api.get(`/contacts/${ada.id}`)).status).toBe(404);
      expect((await api.delete(`/contacts/${ada.id}`)).status).toBe(404);
      expect((await api.get(`/contacts?tag_id=${tag.id}`)).body.meta.total).toBe(0);
      expect((await api.post('/contacts', { email: ada.email })).status).toBe(201);
    });

    it('requires contacts:read for reading and contacts:write for writing', async () => {
      const reader = await service.client(['contacts:read']);
      const writer = await service.client(['contacts:write']);
      expect((await reader.get('/contacts')).status).toBe(200);
      expect((await writer.get('/contacts')).status).toBe(403);
      expect((await writer.get('/contacts/1')).status).toBe(403);
      expect((await writer.put('/contacts/1', {})).status).toBe(404);
      for (const path of ['/contacts', '/contacts/1/unsubscribe', '/contacts/1/resubscribe']) {
        expect((await reader.post(path, {})).status).toBe(403);
      }
      expect((await reader.put('/contacts/1', {})).status).toBe(403);
      expect((await reader.delete('/contacts/1')).status).toBe(403);
    });
  });

  describe('custom_fields of a contact', () => {
    const fieldsOf = async () =>
      Object.fromEntries(
        (await api.get('/custom-fields')).data.map((field: Schema<'CustomField'>) => [field.key, field.type]),
      );

    it('give new keys the type of their first value', async () => {
      const custom_fields = {
        plan: '',
        seats: 2.5,
        trial: false,
        since: '2026-02-28',
        seen: '2026-11-21T08:30:00.000Z',
        local: '2026-11-21T08:30+01:00',
        'not-a-date': '2026-02-30',
        Number_: '42',
        gone: null,
      };
      const ada = await given.contact({ custom_fields });
      expect(ada.custom_fields).toEqual({ ...custom_fields, gone: undefined });
      expect(await fieldsOf()).toEqual({
        plan: 'text',
        seats: 'number',
        trial: 'boolean',
        since: 'date',
        seen: 'date',
        local: 'date',
        'not-a-date': 'text',
        Number_: 'text',
      });
    });

    it('are named in the answer to the request that makes their fields, whose entity tag is that of the contact', async () => {
      const created = await api.post('/contacts', {
        email: 'new@example.com',
        custom_fields: { plann: 'pro', size: 3 },
      });
      expect(created.body.new_custom_fields).toEqual(['plann', 'size']);
      const path = `/contacts/${created.body.id}`;
      const updated = await api.put(path, { custom_fields: { size: 4, city: 'Paris' } });
      expect(updated.data.new_custom_fields).toEqual(['city']);
      expect(updated.headers.get('etag')).toBe((await api.get(path)).headers.get('etag'));
      const changes = { custom_fields: { size: 5 } };
      const again = await api.call('PUT', path, changes, { 'if-match': updated.headers.get('etag') ?? '' });
      expect([again.status, Object.keys(again.data)]).toEqual([200, FIELDS]);
      expect((await api.put(path, updated.data)).status).toBe(200);
      const upserted = await api.put('/contacts/by-email/other@example.com', { custom_fields: { size: 1, age: 2 } });
      expect([upserted.status, upserted.data.new_custom_fields]).toEqual([201, ['age']]);
      const contacts = [{ email: 'a@example.com', custom_fields: { age: 1, role: 'CTO' } }, { email: 'b@example.com' }];
      expect((await api.post('/contacts/bulk-upsert', { contacts })).data.new_custom_fields).toEqual(['role']);
      expect((await api.post('/contacts/bulk-upsert', { contacts })).data).not.toHaveProperty('new_custom_fields');
    });

    it('that are sent beside custom_fields are an error that says where they belong', async () => {
      await api.post('/contacts', { email: 'first@example.com', custom_fields: { plan: 'pro' } });
      const { status, body } = await api.post('/contacts', { email: 'x@example.com', plan: 'pro', plam: 1, 'a\0b': 1 });
      expect([status, body.errors]).toEqual([
        422,
        {
          plan: [
            'plan is a custom field of the workspace: send it in custom_fields, as {"custom_fields": {"plan": …}}',
          ],
          plam: ['plam is not a known field.'],
          'a\0b': [expect.any(String)],
        },
      ]);
      const other = await (await service.client()).post('/contacts', { email: 'x@example.com', plan: 'pro' });
      expect(other.body.errors).toEqual({ plan: ['plan is not a known field.'] });
    });

    it('return 422 for later values that do not fit the type, naming each', async () => {
      await given.contact({ custom_fields: { plan: 'a', seats: 1, trial: true, since: '2026-01-01' } });
      const { status, body } = await api.post('/contacts', {
        email: 'bob@example.com',
        custom_fields: { plan: 1, seats: '1', trial: 'true', since: 'tomorrow', fresh: 1 },
      });
      expect(status).toBe(422);
      expect(body).toEqual(
        validationError('custom_fields.plan', 'custom_fields.seats', 'custom_fields.trial', 'custom_fields.since'),
      );
      expect(await fieldsOf()).not.toHaveProperty('fresh');
      const fitting = { plan: '2026-01-01', seats: -1e300, trial: false, since: '2026-01-01T00:00:00Z' };
      expect((await given.contact({ custom_fields: fitting })).custom_fields).toEqual(fitting);
    });

    it('are merged, removed one by one by null values, and all cleared by null', async () => {
      const ada = await given.contact({ custom_fields: { a: 1, b: 'x', c: true } });
      const put = async (custom_fields: unknown) =>
        (await api.put(`/contacts/${ada.id}`, { custom_fields })).data.custom_fields;
      expect(await put({ b: null, c: false, d: 'new' })).toEqual({ a: 1, c: false, d: 'new' });
      expect(await put({})).toEqual({ a: 1, c: false, d: 'new' });
      expect(await put(null)).toEqual({});
      expect(await fieldsOf()).toMatchObject({ a: 'number', b: 'text' });
    });

    it('do not lose any of several concurrent updates', async () => {
      const ada = await given.contact({ custom_fields: { a: 1 } });
      await Promise.all(
        ['b', 'c', 'd', 'e'].map((key) => api.put(`/contacts/${ada.id}`, { custom_fields: { [key]: 2 } })),
      );
      const { data } = await api.get(`/contacts/${ada.id}`);
      expect(data.custom_fields).toEqual({ a: 1, b: 2, c: 2, d: 2, e: 2 });
    });

    it('get one definition if concurrent requests use the same new key, and all values must fit its type', async () => {
      const values = ['text', 1, true, 'text', 2, '2026-01-01'];
      const responses = await Promise.all(
        values.map((value, n) =>
          api.post('/contacts', { email: `p${n}@example.com`, custom_fields: { fresh: value } }),
        ),
      );
      const { data } = await api.get('/custom-fields');
      expect(data).toHaveLength(1);
      const stored = (await api.get('/contacts')).data.map((contact: Schema<'Contact'>) => contact.custom_fields.fresh);
      const typeOf = { text: 'string', date: 'string', number: 'number', boolean: 'boolean' }[data[0].type as 'text'];
      expect(stored.every((value: unknown) => typeof value === typeOf)).toBe(true);
      const refusals = responses.filter(({ status }) => status !== 201);
      expect(refusals.length).toBe(values.length - stored.length);
      for (const { body } of refusals) expect(body).toEqual(validationError('custom_fields.fresh'));
    });

    it.each([
      ['{"a b": 1}', 'a b'],
      ['{"": 1}', ''],
      ['{"é": 1}', 'é'],
      ['{"a.b": null}', 'a.b'],
      ['{"__proto__": "x"}', '__proto__'],
      ['{"constructor": "x"}', 'constructor'],
      ['{"prototype": null}', 'prototype'],
      [`{"${'k'.repeat(65)}": 1}`, 'k'.repeat(65)],
      ['{"a": {}}', 'a'],
      ['{"a": []}', 'a'],
      ['{"a": [null]}', 'a'],
      ['{"a": 1e999}', 'a'],
      [`{"a": "${'x'.repeat(5001)}"}`, 'a'],
      ['{"a": "\\u0000"}', 'a'],
      ['{"a": "\\ud800"}', 'a'],
    ])('return 422 for %s', async (custom_fields, key) => {
      const { status, body } = await api.post(
        '/contacts',
        `{"email": "a@example.com", "custom_fields": ${custom_fields}}`,
      );
      expect(status).toBe(422);
      expect(body).toEqual(validationError(`custom_fields.${key}`));
    });

    it('return 422 for an object with the key of a prototype, and for the object', async () => {
      const { body } = await api.post(
        '/contacts',
        '{"email": "a@example.com", "custom_fields": {"a": {"__proto__": {}}}}',
      );
      expect(body).toEqual(validationError('custom_fields.a', 'custom_fields.a.__proto__'));
    });

    it('accept keys and values up to their limits', async () => {
      const custom_fields = { ['k'.repeat(64)]: '🎈'.repeat(5000), '-': 0, hasOwnProperty: 'x', toString: 'y' };
      expect((await given.contact({ custom_fields })).custom_fields).toEqual(custom_fields);
    });

    it('are limited to 100 keys per contact, also over several updates', async () => {
      const keys = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, n]));
      const { status, body } = await api.post('/contacts', { email: 'a@example.com', custom_fields: keys(0, 101) });
      expect(status).toBe(422);
      expect(body).toEqual(validationError('custom_fields'));
      const ada = await given.contact({ custom_fields: keys(0, 100) });
      const one = await api.put(`/contacts/${ada.id}`, { custom_fields: keys(100, 1) });
      expect(one.body).toEqual(validationError('custom_fields'));
      const swap = await api.put(`/contacts/${ada.id}`, { custom_fields: { k0: null, ...keys(100, 1) } });
      expect(Object.keys(swap.data.custom_fields)).toHaveLength(100);
    });

    it('are limited to 64 KB per contact, also over several updates', async () => {
      const texts = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'x'.repeat(5_000)]));
      const created = await api.post('/contacts', { email: 'a@example.com', custom_fields: texts(0, 14) });
      expect([created.status, created.body]).toEqual([422, validationError('custom_fields')]);
      const ada = await given.contact({ custom_fields: texts(0, 13) });
      const updated = await api.put(`/contacts/${ada.id}`, { custom_fields: texts(13, 1) });
      expect([updated.status, updated.body]).toEqual([422, validationError('custom_fields')]);
      expect((await api.get(`/contacts/${ada.id}`)).data.custom_fields).toEqual(texts(0, 13));
    });

    it('are limited to 500 fields per workspace', async () => {
      await service.database.query(
        `INSERT INTO custom_fields (workspace_id, key, label, type)
         SELECT $1, 'f' || n, 'f' || n, 'number' FROM generate_series(1, 499) n`,
        [api.workspaceId],
      );
      const { body } = await api.post('/contacts', { email: 'a@example.com', custom_fields: { x: 1, y: 2, f1: 3 } });
      expect(body).toEqual(validationError('custom_fields.y'));
      const responses = await Promise.all(
        ['p', 'q', 'r'].map((key) =>
          api.post('/contacts', { email: `${key}@example.com`, custom_fields: { [key]: 1 } }),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
      expect((await api.post('/custom-fields', { key: 'late', type: 'text' })).body).toEqual(
        httpError(422, 'limit_reached'),
      );
      expect((await api.get('/custom-fields')).body.meta.total).toBe(500);
      expect((await api.post('/contacts', { email: 'z@example.com', custom_fields: { f2: 1 } })).status).toBe(201);
    });

    it('treat the key of a deleted field as new', async () => {
      const ada = await given.contact({ custom_fields: { plan: 'pro', seats: 3 } });
      const plan = (await api.get('/custom-fields?search=plan')).data[0];
      expect((await api.delete(`/custom-fields/${plan.id}`)).status).toBe(204);
      expect((await api.get(`/contacts/${ada.id}`)).data.custom_fields).toEqual({ seats: 3 });
      const { data } = await api.put(`/contacts/${ada.id}`, { custom_fields: { plan: 7 } });
      expect(data.custom_fields).toEqual({ seats: 3, plan: 7 });
    });
  });

  describe('external_id', () => {
    it('is unique in the workspace: 409 on create and update, but other workspaces may have it', async () => {
      const ada = await given.contact({ email: 'ada@example.com', external_id: ' crm-1 ' });
      const bob = await given.contact({ email: 'bob@example.com' });
      expect(ada.external_id).toBe('crm-1');
      const taken = httpError(409, 'external_id_taken');
      const created = await api.post('/contacts', { email: 'eve@example.com', external_id: 'crm-1' });
      expect(created).toMatchObject({ status: 409, body: taken });
      expect(await api.put(`/contacts/${bob.id}`, { external_id: 'crm-1' })).toMatchObject({
        status: 409,
        body: taken,
      });
      expect((await api.put(`/contacts/${bob.id}`, { external_id: 'CRM-1' })).data.external_id).toBe('CRM-1');
      expect((await other.post('/contacts', { email: 'ada@example.com', external_id: 'crm-1' })).status).toBe(201);
    });

    it('can be cleared, by null and by an empty text, on any number of contacts', async () => {
      for (const email of ['ada@example.com', 'bob@example.com']) {
        const { id } = await given.contact({ email, external_id: email });
        const cleared = await api.put(`/contacts/${id}`, { external_id: email.startsWith('a') ? null : '' });
        expect(cleared.data.external_id).toBeNull();
      }
    });

    it('finds its contact in the list and in a segment, and fills a template variable', async () => {
      const ada = await given.contact({ email: 'ada@example.com', external_id: 'crm-1' });
      await given.contact({ email: 'bob@example.com', external_id: 'CRM-1' });
      expect(emails((await api.get('/contacts?external_id=crm-1')).data)).toEqual(['ada@example.com']);
      expect((await api.get('/contacts?external_id=crm')).data).toEqual([]);
      expect((await api.get(`/contacts?external_id=${'x'.repeat(256)}`)).body).toEqual(validationError('external_id'));
      const conditions = [{ field: 'external_id', operator: 'equals', value: 'crm-1' }];
      const segment = await api.post('/segments', { name: 'S', match_type: 'all', conditions });
      expect(emails((await api.get(`/segments/${segment.data.id}/contacts`)).data)).toEqual(['ada@example.com']);
      const template = await api.post('/templates', { name: 'T', subject: '{{ external_id }}', body: 'x' });
      const preview = await api.post(`/templates/${template.data.id}/preview`, { contact_id: ada.id });
      expect(preview.data.subject).toBe('crm-1');
    });
  });

  describe('GET /contacts', () => {
    const people = async () => {
      const company = await made('/companies', { name: 'Linked' });
      const vip = await made('/tags', { name: 'VIP' });
      const leads = await made('/lists', { name: 'Leads' });
      const ada = {
        email: 'ada@analytical.example',
        first_name: 'Ada',
        last_name: 'Lovelace',
        company: 'Analytical 100%',
      };
      const bob = { email: 'bob_x@example.com', first_name: 'Bob', company: 'Ünïcode GmbH', lifecycle_stage: 'lead' };
      const eve = { email: 'eve@example.com', last_name: 'Adams', job_title: 'Spy', linkedin_url: 'b' };
      await given.contact({ ...ada, tags: [vip.id], lists: [leads.id] });
      await given.contact({ ...bob, company_id: company.id, tags: [vip.id], linkedin_url: 'a' });
      await given.contact({ ...eve, lists: [leads.id] });
      return { company, vip, leads };
    };
    const list = async (query: string) => {
      const { status, body } = await api.get(`/contacts?${query}`);
      expect({ status, message: body.message }).toEqual({ status: 200 });
      return body;
    };

    it('returns pages of 25, newest first, with links that contain the query', async () => {
      await given.contacts(30);
      const { data, meta, links } = await list('status=active');
      expect(meta).toEqual({ current_page: 1, last_page: 2, per_page: 25, total: 30, count: 25 });
      expect(links).toEqual({
        first: 'http://outreach.test/v1/contacts?status=active&page=1',
        last: 'http://outreach.test/v1/contacts?status=active&page=2',
        prev: null,
        next: 'http://outreach.test/v1/contacts?status=active&page=2',
      });
      expect(Object.keys(data[0])).toEqual(FIELDS);
      const second = await list('page=2&status=active');
      expect(second.meta.count).toBe(5);
      const ids = [...data, ...second.data].map(({ id }: { id: number }) => id);
      expect(ids).toEqual([...ids].sort((a, b) => b - a));
      expect(new Set(ids).size).toBe(30);
      const past = await list('page=9&per_page=7');
      expect(past.data).toEqual([]);
      expect(past.meta).toEqual({ current_page: 9, last_page: 5, per_page: 7, total: 30, count: 0 });
      expect(past.links.prev).toBe('http://outreach.test/v1/contacts?per_page=7&page=5');
      expect((await api.get('/contacts?per_page=x')).body.errors).toEqual({
        per_page: ['per_page must be an integer number'],
      });
    });

    it('returns an empty page for a workspace without contacts', async () => {
      await given.contacts(3);
      const { body } = await other.get('/contacts');
      expect(body).toMatchObject({ data: [], meta: { current_page: 1, last_page: 1, total: 0, count: 0 } });
      expect(body.links).toMatchObject({ prev: null, next: null });
    });

    it.each([
      ['search=ADA', ['eve@example.com', 'ada@analytical.example']],
      ['search=ada%20love', ['ada@analytical.example']],
      ['search=LOVELACE+ada', ['ada@analytical.example']],
      ['search=%C3%9CN%C3%8FC', ['bob_x@example.com']],
      ['search=b_x', ['bob_x@example.com']],
      ['search=100%25', ['ada@analytical.example']],
      ['search=_', ['bob_x@example.com']],
      ['search=%25', ['ada@analytical.example']],
      ['search=%5C', []],
      ['search=xada', []],
      ['search=ada%20nobody', []],
      ['search=linked', []],
      ['search=ada+a+d+a+da+ad+nobody', ['eve@example.com', 'ada@analytical.example']],
      ['search=', ['eve@example.com', 'bob_x@example.com', 'ada@analytical.example']],
      ['lifecycle_stage=lead', ['bob_x@example.com']],
      ['lifecycle_stage=subscriber', ['eve@example.com', 'ada@analytical.example']],
      ['sort=email&direction=asc', ['ada@analytical.example', 'bob_x@example.com', 'eve@example.com']],
      ['sort=email', ['eve@example.com', 'bob_x@example.com', 'ada@analytical.example']],
      ['sort=first_name&direction=asc', ['ada@analytical.example', 'bob_x@example.com', 'eve@example.com']],
      ['sort=first_name', ['bob_x@example.com', 'ada@analytical.example', 'eve@example.com']],
      ['sort=last_name', ['ada@analytical.example', 'eve@example.com', 'bob_x@example.com']],
      ['sort=linkedin_url&direction=asc', ['bob_x@example.com', 'eve@example.com', 'ada@analytical.example']],
      ['sort=job_title', ['eve@example.com', 'bob_x@example.com', 'ada@analytical.example']],
      ['sort=status&direction=asc', ['ada@analytical.example', 'bob_x@example.com', 'eve@example.com']],
      ['sort=lifecycle_stage', ['bob_x@example.com', 'eve@example.com', 'ada@analytical.example']],
      ['sort=created_at&direction=asc', ['ada@analytical.example', 'bob_x@example.com', 'eve@example.com']],
      ['sort=updated_at&direction=asc', ['ada@analytical.example', 'bob_x@example.com', 'eve@example.com']],
    ])('finds the contacts of %s', async (query, expected) => {
      await people();
      const { data, meta } = await list(query);
      expect(emails(data)).toEqual(expected);
      expect(meta.total).toBe(expected.length);
    });

    it('sorts text by the code points of its lower case, enums in their order, and nulls last', async () => {
      for (const first_name of ['b', 'A', 'É', 'Z', undefined, 'a', 'è']) {
        await given.contact(first_name === undefined ? {} : { first_name });
      }
      const sorted = async (query: string) =>
        (await list(`sort=first_name&${query}`)).data.map((each: Schema<'Contact'>) => each.first_name);
      expect(await sorted('direction=asc')).toEqual(['A', 'a', 'b', 'Z', 'è', 'É', null]);
      expect(await sorted('direction=desc')).toEqual(['É', 'è', 'Z', 'b', 'a', 'A', null]);
      expect(await sorted('direction=desc&per_page=2&page=2')).toEqual(['Z', 'b']);
      const { body: csv } = await api.get('/contacts/export?sort=first_name&direction=asc');
      const names = String(csv)
        .trimEnd()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',')[2]);
      expect(names).toEqual(['A', 'a', 'b', 'Z', 'è', 'É', '']);

      for (const lifecycle_stage of ['other', 'opportunity', 'lead'])
        await given.contact({ lifecycle_stage, last_name: 'staged' });
      const { data } = await list('sort=lifecycle_stage&direction=asc&search=staged');
      expect(data.map((each: Schema<'Contact'>) => each.lifecycle_stage)).toEqual(['lead', 'opportunity', 'other']);
      const stages = async (query: string) =>
        (await list(`sort=lifecycle_stage&${query}`)).data.map((each: Schema<'Contact'>) => each.lifecycle_stage);
      expect(await stages('direction=asc&per_page=4&page=2')).toEqual([
        'subscriber',
        'subscriber',
        'subscriber',
        'lead',
      ]);
      expect(await stages('direction=desc&per_page=2&page=2')).toEqual(['lead', 'subscriber']);
      expect(await stages('direction=desc&per_page=4&page=3')).toEqual(['subscriber', 'subscriber']);
    });

    it('has the same order on late pages, which are read from the end, as on the first ones', async () => {
      const { leads } = await people();
      const stages = ['customer', 'lead', 'subscriber'];
      const rows = Array.from({ length: 1_300 }, (_, index) => {
        const name = index % 3 === 0 ? '' : `${index % 2 === 0 ? 'n' : 'N'}${index % 7}`;
        return `c${(index * 7919) % 1_301}@example.com,${name},${index % 5 === 0 ? '' : index},${stages[index % 3]}`;
      });
      const form = new FormData();
      form.set('file', new Blob([`email,first_name,linkedin_url,lifecycle_stage\n${rows.join('\n')}\n`]), 'c.csv');
      form.set('lists[]', String(leads.id));
      expect((await api.post('/contacts/import', form)).data.imported).toBe(1_300);
      const read = async (query: string, from: number): Promise<Schema<'Contact'>[]> => {
        const numbers = Array.from({ length: 15 - from }, (_, index) => from + index);
        const pages = await Promise.all(
          numbers.map(
            async (page): Promise<Schema<'Contact'>[]> => (await list(`${query}&per_page=100&page=${page}`)).data,
          ),
        );
        return pages.flat();
      };
      const all = await read('sort=created_at', 1);
      expect(new Set(all.map(({ id }) => id)).size).toBe(1_303);
      const position = (value: unknown): string | number =>
        stages.includes(String(value))
          ? ['subscriber', 'lead', 'customer'].indexOf(String(value))
          : String(value).toLowerCase();
      const sorted = (field: keyof Schema<'Contact'>, direction: string) => {
        const sign = direction === 'asc' ? 1 : -1;
        return all.toSorted((one, two) => {
          const [a, b] = [one[field], two[field]];
          if (a === null || b === null) return Number(a === null) - Number(b === null) || sign * (one.id - two.id);
          const [x, y] = [position(a), position(b)];
          return sign * (x < y ? -1 : x > y ? 1 : one.id - two.id);
        });
      };
      for (const sort of ['email', 'first_name', 'linkedin_url', 'lifecycle_stage', 'status', 'job_title'] as const) {
        for (const direction of ['asc', 'desc']) {
          const found = await read(`sort=${sort}&direction=${direction}`, 11);
          expect(emails(found)).toEqual(emails(sorted(sort, direction).slice(1_000)));
          const ofList = await read(`sort=${sort}&direction=${direction}&list_id=${leads.id}&status=active`, 11);
          const members = sorted(sort, direction).filter(({ lists }) => lists.length > 0);
          expect(emails(ofList)).toEqual(emails(members.slice(1_000)));
        }
      }
      const leadsOnly = await read('sort=lifecycle_stage&direction=asc&lifecycle_stage=lead', 1);
      const expected = all
        .filter(({ lifecycle_stage: stage }) => stage === 'lead')
        .toSorted((one, two) => one.id - two.id);
      expect(emails(leadsOnly)).toEqual(emails(expected));
      expect((await list('sort=email&per_page=100&page=14')).meta).toMatchObject({
        total: 1_303,
        count: 3,
        last_page: 14,
      });
    });

    it('filters by status, list, tag and company, alone and combined', async () => {
      const { company, vip, leads } = await people();
      const bob = (await list('search=bob')).data[0];
      await api.post(`/contacts/${bob.id}/unsubscribe`);
      const total = async (query: string) => {
        const { data, meta } = await list(query);
        expect(data).toHaveLength(meta.total);
        return meta.total;
      };
      expect(await total('status=active')).toBe(2);
      expect(await total('status=unsubscribed')).toBe(1);
      expect(await total('status=bounced')).toBe(0);
      expect(await total('status=complained')).toBe(0);
      expect(await total(`list_id=${leads.id}`)).toBe(2);
      expect(await total(`tag_id=${vip.id}`)).toBe(2);
      expect(await total(`company_id=${company.id}`)).toBe(1);
      expect(await total(`list_id=${leads.id}&tag_id=${vip.id}`)).toBe(1);
      expect(await total(`tag_id=${vip.id}&status=active`)).toBe(1);
      expect(await total(`tag_id=${vip.id}&status=unsubscribed`)).toBe(1);
      expect(await total(`list_id=${leads.id}&lifecycle_stage=subscriber`)).toBe(2);
      expect(await total(`list_id=${leads.id}&lifecycle_stage=subscriber&status=active`)).toBe(2);
      expect(await total(`tag_id=${vip.id}&lifecycle_stage=subscriber`)).toBe(1);
      expect(await total(`tag_id=${vip.id}&status=active&search=bob`)).toBe(0);
      expect(await total(`list_id=${leads.id}&company_id=${company.id}`)).toBe(0);
      expect(emails((await list(`list_id=${leads.id}&sort=email&direction=asc&per_page=1&page=2`)).data)).toEqual([
        'eve@example.com',
      ]);
    });

    it.each([
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['page=99999999999999999999', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['per_page=', 'per_page'],
      ['status=', 'status'],
      ['status=happy', 'status'],
      ['status=active&status=bounced', 'status'],
      ['lifecycle_stage=Lead', 'lifecycle_stage'],
      ['list_id=x', 'list_id'],
      ['list_id=0', 'list_id'],
      ['list_id=1.5', 'list_id'],
      ['tag_id=-1', 'tag_id'],
      ['company_id=9007199254740992', 'company_id'],
      ['company_id=1&company_id=2', 'company_id'],
      ['sort=phone', 'sort'],
      ['sort=timezone', 'sort'],
      ['sort=search_text', 'sort'],
      ['direction=up', 'direction'],
      ['search=a&search=b', 'search'],
      [`list_id=${UNKNOWN_ID}`, 'list_id'],
      [`tag_id=${UNKNOWN_ID}`, 'tag_id'],
      [`company_id=${UNKNOWN_ID}`, 'company_id'],
    ])('returns 422 for %s', async (query, field) => {
      const { status, body } = await api.get(`/contacts?${query}`);
      expect(status).toBe(422);
      expect(body).toEqual(validationError(field));
    });

    it('returns 422 for filters by records of another workspace', async () => {
      const list_id = (await made('/lists', { name: 'Leads' }, other)).id;
      expect((await api.get(`/contacts?list_id=${list_id}`)).body).toEqual(validationError('list_id'));
      expect((await api.get('/contacts?page=9007199254740991')).status).toBe(200);
    });

    it('returns correct totals while contacts are created and deleted', async () => {
      const leads = await made('/lists', { name: 'Leads' });
      const vip = await made('/tags', { name: 'VIP' });
      const both = { lists: [leads.id], tags: [vip.id] };
      const contacts = await Promise.all(Array.from({ length: 10 }, () => given.contact(both)));
      await Promise.all(contacts.slice(0, 4).map(({ id }) => api.delete(`/contacts/${id}`)));
      for (const filter of ['', `list_id=${leads.id}`, `tag_id=${vip.id}`])
        expect((await list(filter)).meta.total).toBe(6);
      await api.delete(`/lists/${leads.id}`);
      expect((await list('')).meta.total).toBe(6);
    });
  });

  describe('contact status', () => {
    it('is set to unsubscribed with date and events by the first call only', async () => {
      const ada = await given.contact();
      published.length = 0;
      const first = await api.post(`/contacts/${ada.id}/unsubscribe`);
      expect(first.status).toBe(200);
      expect(first.data).toEqual({
        ...ada,
        status: 'unsubscribed',
        unsubscribed_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      });
      expect(published).toEqual([
        { name: 'contact.updated', ids: [ada.id] },
        { name: 'contact.unsubscribed', ids: [ada.id] },
      ]);
      expect(await api.post(`/contacts/${ada.id}/unsubscribe`, {})).toMatchObject({ status: 200, body: first.body });
      expect(published).toHaveLength(2);
    });

    it('can become unsubscribed from bounced', async () => {
      const ada = await given.contact();
      await setStatus(ada.id, 'bounced');
      const { data } = await api.post(`/contacts/${ada.id}/unsubscribe`);
      expect(data).toMatchObject({ status: 'unsubscribed', unsubscribed_at: expect.stringMatching(TIMESTAMP) });
    });

    it('can become unsubscribed from complained, but not active after that', async () => {
      const ada = await given.contact();
      const campaign = await given.campaign();
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [ada.id] });
      await setStatus(ada.id, 'complained');
      const { status, data } = await api.post(`/contacts/${ada.id}/unsubscribe`);
      expect(status).toBe(200);
      expect(data).toMatchObject({ status: 'unsubscribed', unsubscribed_at: expect.stringMatching(TIMESTAMP) });
      expect((await api.get(`/campaigns/${campaign.id}/contacts`)).data).toMatchObject([{ status: 'unsubscribed' }]);
      published.length = 0;
      expect((await api.post(`/contacts/${ada.id}/unsubscribe`)).data).toEqual(data);
      expect(published).toEqual([]);
      expect((await api.post(`/contacts/${ada.id}/resubscribe`)).status).toBe(422);
    });

    it('becomes active again by resubscribe, which leaves active contacts unchanged', async () => {
      const ada = await given.contact();
      expect(await api.post(`/contacts/${ada.id}/resubscribe`)).toMatchObject({ status: 200, body: { data: ada } });
      await api.post(`/contacts/${ada.id}/unsubscribe`);
      published.length = 0;
      const { status, data } = await api.post(`/contacts/${ada.id}/resubscribe`);
      expect(status).toBe(200);
      expect(data).toEqual({ ...ada, updated_at: expect.any(String) });
      expect(published).toEqual([{ name: 'contact.updated', ids: [ada.id] }]);
    });

    it('stays bounced or complained, and resubscribe returns 422', async () => {
      for (const status of ['bounced', 'complained']) {
        const ada = await given.contact();
        await setStatus(ada.id, status);
        const response = await api.post(`/contacts/${ada.id}/resubscribe`);
        expect(response).toMatchObject({ status: 422, body: httpError(422, 'not_resubscribable') });
        expect((await api.get(`/contacts/${ada.id}`)).data.status).toBe(status);
      }
    });

    it('cannot be changed for contacts of another workspace or unknown IDs', async () => {
      const ada = await given.contact();
      for (const action of ['unsubscribe', 'resubscribe']) {
        expect((await other.post(`/contacts/${ada.id}/${action}`)).status).toBe(404);
        expect((await api.post(`/contacts/${UNKNOWN_ID}/${action}`)).status).toBe(404);
        expect((await api.post(`/contacts/x/${action}`)).status).toBe(404);
        expect((await api.get(`/contacts/${ada.id}/${action}`)).status).toBe(405);
      }
      expect((await api.get(`/contacts/${ada.id}`)).data.status).toBe('active');
    });

    it('changes for sets of contacts, once each, and never in another workspace', async () => {
      const scope = await service.app.get(Workspaces).scope(api.workspaceId);
      const statuses = service.app.get(ContactStatuses);
      const ids = await given.contacts(4);
      const [unsubscribedId = 0, complainedId = 0, activeId = 0, otherActiveId = 0] = ids;
      await setStatus(unsubscribedId, 'unsubscribed');
      await setStatus(complainedId, 'complained');
      const stranger = (await other.post('/contacts', { email: 'eve@example.com' })).body.id;
      const set = sql`SELECT unnest(${[unsubscribedId, complainedId, activeId, stranger]}::bigint[])`;
      const sorted = async (updated: Promise<readonly number[]>) => [...(await updated)].sort((a, b) => a - b);
      published.length = 0;
      expect(await sorted(statuses.markBounced(scope, set, 'service'))).toEqual([unsubscribedId, activeId]);
      expect(await sorted(statuses.markBounced(scope, set, 'service'))).toEqual([]);
      expect(await sorted(statuses.markComplained(scope, set, 'service'))).toEqual([unsubscribedId, activeId]);
      expect(
        await sorted(statuses.unsubscribe(scope, sql`SELECT ${otherActiveId}::bigint`, { source: 'link' })),
      ).toEqual([otherActiveId]);
      expect(published).toEqual([
        { name: 'contact.updated', ids: [unsubscribedId, activeId] },
        { name: 'contact.updated', ids: [unsubscribedId, activeId] },
        { name: 'contact.updated', ids: [otherActiveId] },
        { name: 'contact.unsubscribed', ids: [otherActiveId] },
      ]);
      expect((await other.get(`/contacts/${stranger}`)).data.status).toBe('active');
    });
  });
});
