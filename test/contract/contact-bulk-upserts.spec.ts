import fc from 'fast-check';
import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError, validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { useSharedService } from '../support/service.js';

type Contact = Schema<'Contact'>;
type Match = 'email' | 'external_id';

const MAX_STATEMENTS = 25;

describe('POST /contacts/bulk-upsert', () => {
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

  const send = (contacts: readonly unknown[], options: object = {}, headers = {}) =>
    api.post('/contacts/bulk-upsert', { contacts, ...options }, headers);
  const done = async (contacts: readonly unknown[], options: object = {}) => {
    const { status, body, data } = await send(contacts, options);
    expect({ status, body }).toEqual({ status: 200, body: { data: expect.any(Object) } });
    expect(data.created + data.updated + data.skipped + data.failed).toBe(contacts.length);
    expect(data.results.map(({ index }: { index: number }) => index)).toEqual([...contacts.keys()]);
    return data;
  };
  const statusesOf = (data: { results: { status: string }[] }) => data.results.map(({ status }) => status);
  const errorsOf = (data: { results: { errors: object | null }[] }) =>
    data.results.map(({ errors }) => errors && Object.keys(errors));
  const all = async (client = api): Promise<Contact[]> =>
    (await client.get('/contacts?per_page=100&sort=email&direction=asc')).data;

  it('fails a record with a key that class-transformer would use as the class of the object', async () => {
    const contacts = '[{"email":"a@reserved.test","lists":[{"id":1,"constructor":5}]},{"email":"b@reserved.test"}]';
    const { status, data } = await api.post('/contacts/bulk-upsert', `{"contacts":${contacts}}`);
    expect([status, data.created, data.failed]).toEqual([200, 1, 1]);
    expect(Object.keys(data.results[0].errors)).toContain('lists.0.constructor');
  });

  it('creates and updates contacts, and returns one result for each record', async () => {
    const old = await given.contact({ email: 'old@example.com', first_name: 'Old', custom_fields: { a: 1, b: 2 } });
    published.length = 0;
    const tag = (await api.post('/tags', { name: 'VIP' })).data.id;
    const data = await done([
      { email: 'New@example.com', first_name: 'New', external_id: 'n', tags: [tag], custom_fields: { plan: 'pro' } },
      { email: 'OLD@example.com', last_name: 'Name', custom_fields: { a: null, c: 3 }, timezone: 'Europe/Paris' },
    ]);
    const [created] = data.results;
    expect(data).toEqual({
      created: 1,
      updated: 1,
      skipped: 0,
      failed: 0,
      results: [
        { index: 0, id: expect.any(Number), status: 'created', errors: null },
        { index: 1, id: old.id, status: 'updated', errors: null },
      ],
      new_custom_fields: ['plan', 'c'],
    });
    expect((await api.get(`/contacts/${created.id}`)).data).toMatchObject({
      email: 'new@example.com',
      first_name: 'New',
      external_id: 'n',
      status: 'active',
      lifecycle_stage: 'subscriber',
      tags: [{ id: tag }],
      custom_fields: { plan: 'pro' },
      subscribed_at: expect.any(String),
    });
    const { data: after } = await api.get(`/contacts/${old.id}`);
    expect(after).toEqual({
      ...old,
      new_custom_fields: undefined,
      last_name: 'Name',
      full_name: 'Old Name',
      timezone: 'Europe/Paris',
      custom_fields: { b: 2, c: 3 },
      updated_at: after.updated_at,
    });
    expect(published).toEqual([
      { name: 'contact.created', ids: [created.id] },
      { name: 'contact.updated', ids: [old.id] },
      { name: 'contact.timezone_changed', ids: [old.id] },
    ]);
  });

  it('creates contacts in the order of the records, as the list and the events show them', async () => {
    const emails = ['zoe', 'adam', 'mia', 'ben'].map((name) => `${name}@order.example`);
    const { results } = await done(emails.map((email) => ({ email })));
    const ids = results.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    const listed = (await api.get('/contacts?search=order.example')).data;
    expect(listed.map(({ email }: { email: string }) => email)).toEqual([...emails].reverse());
    const events = (await api.get('/events?event=contact.created&limit=1000')).data;
    expect(events.map(({ data }: { data: { email: string } }) => data.email).slice(-emails.length)).toEqual(emails);
  });

  it('lets the second record of a contact update what the first one has created', async () => {
    const data = await done([
      { email: 'ada@example.com', first_name: 'A', tracking_consent: 'granted', tracking_consent_source: 'Form' },
      { email: 'ada@example.com', last_name: 'B', tracking_consent: 'refused' },
    ]);
    expect(statusesOf(data)).toEqual(['created', 'updated']);
    const [contact] = await all();
    expect(data.results.map(({ id }: Contact) => id)).toEqual([contact?.id, contact?.id]);
    expect(contact).toMatchObject({ full_name: 'A B', tracking_consent: 'refused', tracking_consent_source: null });
    expect(contact?.tracking_consent_at).not.toBeNull();
    expect(published.map(({ name }) => name)).toEqual(['contact.created', 'contact.updated']);
    const { data: activity } = await api.get(`/contacts/${contact?.id}/activity?type=contact.consent_changed`);
    expect(activity.map((each: Schema<'Activity'>) => each.data)).toEqual([
      { from: 'granted', to: 'refused', source: 'api' },
      { from: 'unknown', to: 'granted', source: 'api' },
    ]);
  });

  it('leaves contacts that exist alone with on_match skip, also those that the call has created', async () => {
    const old = await given.contact({ email: 'old@example.com' });
    const data = await done(
      [
        { email: 'old@example.com', first_name: 'Changed' },
        { email: 'new@example.com', first_name: 'First' },
        { email: 'new@example.com', first_name: 'Second' },
      ],
      { on_match: 'skip' },
    );
    expect(statusesOf(data)).toEqual(['skipped', 'created', 'skipped']);
    expect(data.results[0].id).toBe(old.id);
    expect((await all()).map((each) => each.first_name)).toEqual(['First', null]);
  });

  it('matches by external_id, by which an address changes and swaps', async () => {
    const [one, two] = [
      await given.contact({ email: 'one@example.com', external_id: '1' }),
      await given.contact({ email: 'two@example.com', external_id: '2' }),
    ];
    const data = await done(
      [
        { external_id: '1', email: 'parked@example.com' },
        { external_id: '2', email: 'one@example.com' },
        { external_id: '1', email: 'two@example.com' },
        { external_id: '3', email: 'three@example.com' },
        { external_id: '4' },
        { email: 'five@example.com' },
        { external_id: null, email: 'six@example.com' },
      ],
      { match: 'external_id' },
    );
    expect(statusesOf(data)).toEqual(['updated', 'updated', 'updated', 'created', 'failed', 'failed', 'failed']);
    expect(errorsOf(data).slice(4)).toEqual([['email'], ['external_id'], ['external_id']]);
    const ids = Object.fromEntries((await all()).map(({ id, email }) => [id, email]));
    expect(ids).toMatchObject({ [one.id]: 'two@example.com', [two.id]: 'one@example.com' });
  });

  it('lets a record fail alone that collides with another contact by the other key', async () => {
    await given.contact({ email: 'a@example.com', external_id: 'A' });
    const b = await given.contact({ email: 'b@example.com', external_id: 'B' });
    const byEmail = await done([
      { email: 'b@example.com', external_id: 'A', first_name: 'X' },
      { email: 'c@example.com', external_id: 'A' },
      { email: 'd@example.com', external_id: 'D' },
      { email: 'e@example.com', external_id: 'D' },
    ]);
    expect(errorsOf(byEmail)).toEqual([['external_id'], ['external_id'], null, ['external_id']]);
    expect((await api.get(`/contacts/${b.id}`)).data).toEqual(b);
    const byId = await done([{ external_id: 'A', email: 'b@example.com' }], { match: 'external_id' });
    expect(byId.results).toEqual([
      {
        index: 0,
        id: null,
        status: 'failed',
        errors: { email: ['A contact with this email address already exists.'] },
      },
    ]);
  });

  it('lets bad records fail alone, with the errors of each field relative to the record', async () => {
    const other = await service.client();
    const foreign = (await other.post('/tags', { name: 'Theirs' })).data.id;
    const own = (await api.post('/tags', { name: 'Own' })).data.id;
    await api.post('/custom-fields', { key: 'score', label: 'Score', type: 'number' });
    const data = await done([
      { email: 'good@example.com' },
      { email: 'nobody', first_name: 5, nickname: 'A', tags: [own, foreign, 'x'], company_id: foreign },
      { email: 'a@example.com', custom_fields: { score: 'high', 'a b': 1, fresh: 'x' }, lifecycle_stage: 'none' },
      { first_name: 'No key' },
      null,
      ['a@example.com'],
      { email: 'nul@example.com', first_name: 'a\0b' },
      { email: 'b@example.com', custom_fields: { fresh: 1, 'x\0': 1 } },
      { email: 'c@example.com', custom_fields: { fresh: 2, score: 'low' } },
      { email: 'd@example.com', id: 5, status: 'bounced', full_name: 'Shown' },
      { email: 'e@example.com', timezone: 'IST', external_id: 'x'.repeat(256) },
    ]);
    expect(errorsOf(data).map((names) => names?.sort() ?? null)).toEqual([
      null,
      ['company_id', 'email', 'first_name', 'nickname', 'tags.1', 'tags.2'],
      ['lifecycle_stage'],
      ['email'],
      ['record'],
      ['record'],
      ['first_name'],
      ['custom_fields.x\0'],
      ['custom_fields.score'],
      null,
      ['external_id', 'timezone'],
    ]);
    expect((await all()).map(({ email }) => email)).toEqual(['d@example.com', 'good@example.com']);
    expect((await api.get('/custom-fields')).data.map(({ key }: { key: string }) => key)).toEqual(['score']);
  });

  it('gives a new custom field the type of the first record that succeeds', async () => {
    const data = await done([
      { email: 'a@example.com', custom_fields: { mine: 'text' }, tags: [0] },
      { email: 'b@example.com', custom_fields: { mine: 5 } },
      { email: 'c@example.com', custom_fields: { mine: 'five' } },
    ]);
    expect(errorsOf(data)).toEqual([['tags.0'], null, ['custom_fields.mine']]);
  });

  it('refuses a contact with too many custom fields, or more than 64 KB, alone', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 1]));
    await given.contact({ email: 'full@example.com', custom_fields: many });
    const texts = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${from + n}`, 'x'.repeat(5_000)]));
    const data = await done([
      { email: 'full@example.com', custom_fields: { more: 1 } },
      { email: 'full@example.com', custom_fields: { more: 1, k0: null } },
      { email: 'large@example.com', custom_fields: texts(0, 12) },
      { email: 'large@example.com', custom_fields: texts(12, 2) },
      { email: 'large@example.com', custom_fields: { t0: null, ...texts(12, 1) } },
    ]);
    expect(errorsOf(data)).toEqual([['custom_fields'], null, null, ['custom_fields'], null]);
  });

  it('returns 422 for the call as a whole if contacts, match or on_match are wrong', async () => {
    const record = { email: 'a@example.com' };
    expect((await send([])).body).toEqual(validationError('contacts'));
    expect((await send(Array.from({ length: 1_001 }, () => record))).body).toEqual(validationError('contacts'));
    expect((await api.post('/contacts/bulk-upsert', {})).body).toEqual(validationError('contacts'));
    expect((await api.post('/contacts/bulk-upsert', { contacts: record })).body).toEqual(validationError('contacts'));
    const text = await api.post('/contacts/bulk-upsert', { contacts: 'a' });
    expect(text.body.errors.contacts[0]).toBe('contacts must be an array');
    expect((await send([record], { match: 'phone', on_match: null })).body).toEqual(
      validationError('match', 'on_match'),
    );
    expect((await send([record], { matches: 'email' })).body).toEqual(validationError('matches'));
    const wide = Array.from({ length: 1_000 }, () => Object.fromEntries(Array.from({ length: 25 }, (_, n) => [n, n])));
    expect((await send(wide)).status).toBe(422);
    expect(await all()).toEqual([]);
  });

  it('names at most 1,000 wrong fields, but one of each record', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`unknown${n}`, 1]));
    const data = await done(Array.from({ length: 1_000 }, () => wrong));
    const counts = data.results.map(({ errors }: { errors: object }) => Object.keys(errors).length);
    expect(Math.min(...counts)).toBe(2);
    expect(counts.reduce((sum: number, each: number) => sum + each)).toBeLessThan(3_100);
    expect(data.results.at(-1).errors._more).toEqual(['14 more fields are invalid.']);
  });

  it('applies remembered refusals to new contacts, and to those that get an address', async () => {
    for (const email of ['gone@example.com', 'left@example.com']) {
      const { id } = await given.contact({ email });
      await api.post(`/contacts/${id}/unsubscribe`);
      await api.delete(`/contacts/${id}`);
    }
    await given.contact({ email: 'stays@example.com', external_id: '1' });
    await done(
      [
        { external_id: '1', email: 'gone@example.com' },
        { external_id: '2', email: 'left@example.com' },
        { external_id: '3', email: 'free@example.com' },
      ],
      { match: 'external_id' },
    );
    expect((await all()).map(({ email, status }) => [email, status])).toEqual([
      ['free@example.com', 'active'],
      ['gone@example.com', 'unsubscribed'],
      ['left@example.com', 'unsubscribed'],
    ]);
  });

  it('does what the same requests do one after the other', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const email = key.map((name) => `${name}@example.com`);
    const fields = {
      external_id: fc.option(key, { nil: undefined }),
      first_name: fc.option(fc.constantFrom('X', 'Y', '', null), { nil: undefined }),
      tracking_consent: fc.option(fc.constantFrom('granted', 'refused', null), { nil: undefined }),
      tracking_consent_source: fc.option(fc.constantFrom('Form', null), { nil: undefined }),
      custom_fields: fc.option(
        fc.oneof(fc.constant(null), fc.dictionary(key, fc.constantFrom('text', 1, null), { maxKeys: 2 })),
        { nil: undefined },
      ),
      tags: fc.option(fc.subarray([0, 1]), { nil: undefined }),
    };
    const scenario = fc.record({
      match: fc.constantFrom<Match>('email', 'external_id'),
      records: fc.array(fc.record({ email: fc.option(email, { nil: undefined, freq: 9 }), ...fields }), {
        minLength: 2,
        maxLength: 12,
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: 1, maxLength: 3 }), async (calls) => {
        const [bulk, single] = [await service.client(), await service.client()];
        const tagsOf = async (client: ApiClient) => [
          (await client.post('/tags', { name: 'One' })).data.id as number,
          (await client.post('/tags', { name: 'Two' })).data.id as number,
        ];
        const [bulkTags, singleTags] = [await tagsOf(bulk), await tagsOf(single)];
        for (const { match, records } of calls) {
          const withTags = (ids: number[]) => records.map((each) => ({ ...each, tags: each.tags?.map((n) => ids[n]) }));
          const { data } = await bulk.post('/contacts/bulk-upsert', { match, contacts: withTags(bulkTags) });
          const one = await oneByOne(single, match, withTags(singleTags));
          expect({ calls, statuses: statusesOf(data) }).toEqual({ calls, statuses: one });
        }
        expect({ calls, contacts: await shown(bulk) }).toEqual({ calls, contacts: await shown(single) });
      }),
      { numRuns: 12, seed: 20261123 },
    );
  });

  const oneByOne = async (client: ApiClient, match: Match, records: readonly object[]): Promise<string[]> => {
    const statuses: string[] = [];
    for (const record of records as readonly Partial<Contact>[]) {
      const key = record[match];
      if (key == null) {
        statuses.push('failed');
        continue;
      }
      const path = match === 'email' ? 'by-email' : 'by-external-id';
      const { status } = await client.put(`/contacts/${path}/${key}`, record);
      statuses.push({ 200: 'updated', 201: 'created' }[status] ?? 'failed');
    }
    return statuses;
  };
  const shown = async (client: ApiClient) =>
    (await all(client)).map(({ tags, tracking_consent_at: at, ...contact }) => ({
      ...contact,
      ...{ id: 0, created_at: '', updated_at: '', subscribed_at: '' },
      tags: tags.map(({ name }) => name),
      has_consent_time: at !== null,
    }));

  it('takes a number of statements that does not depend on the number of contacts', async () => {
    const tag = (await api.post('/tags', { name: 'VIP' })).data.id;
    await api.post('/custom-fields', { key: 'score', label: 'Score', type: 'number' });
    const records = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        email: `person${n}@example.com`,
        external_id: `id${n}`,
        first_name: `Name${n}`,
        custom_fields: { score: n },
        tags: [tag],
      }));
    const sentFor = async (count: number): Promise<number> => {
      const query = jest.spyOn(pg.Client.prototype, 'query');
      await done(records(count));
      const sent = query.mock.calls.length;
      query.mockRestore();
      return sent;
    };
    await done(records(1));
    const few = await sentFor(2);
    const [created, updated] = [await sentFor(1_000), await sentFor(1_000)];
    expect(Math.max(few, created, updated)).toBeLessThan(MAX_STATEMENTS);
    const { body } = await api.get('/contacts?per_page=1');
    expect(body.meta.total).toBe(1_000);
  });

  it('does each record once if calls with the same new contacts run at once', async () => {
    const records = (shift: number) =>
      Array.from({ length: 200 }, (_, n) => ({
        email: `person${(n + shift) % 200}@example.com`,
        external_id: `id${(n + shift) % 200}`,
        custom_fields: { [`call${shift}`]: n },
      }));
    const responses = await Promise.all([0, 50, 100, 150].map((shift) => done(records(shift))));
    expect(responses.reduce((sum, { created }) => sum + created, 0)).toBe(200);
    expect(responses.reduce((sum, { updated }) => sum + updated, 0)).toBe(600);
    const [contact] = await all();
    expect(Object.keys(contact?.custom_fields ?? {})).toHaveLength(4);
  });

  it('is done once with an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' };
    const records = [{ email: 'a@example.com' }, { email: 'nobody' }];
    const first = await send(records, {}, key);
    const again = await send(records, {}, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await send([{ email: 'b@example.com' }], {}, key)).body).toEqual(httpError(409, 'idempotency_key_reused'));
  });

  it('cannot change contacts of other workspaces, and requires contacts:write', async () => {
    const other = await service.client();
    const theirs = (await other.post('/contacts', { email: 'a@example.com', external_id: 'A' })).body;
    expect(statusesOf(await done([{ email: 'a@example.com', external_id: 'A', first_name: 'Mine' }]))).toEqual([
      'created',
    ]);
    expect((await other.get(`/contacts/${theirs.id}`)).data).toEqual(theirs);
    const reader = await service.client(['contacts:read']);
    expect((await reader.post('/contacts/bulk-upsert', { contacts: [{}] })).status).toBe(403);
  });
});
