import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { type PublishedEvent, recordContactEvents } from '../support/published-events.js';
import { useSharedService } from '../support/service.js';

const LONG_AGO = '2024-05-01T09:30:00.000Z';
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

describe('A contact that has opted out in another system', () => {
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

  const found = async (email: string): Promise<Schema<'Contact'>> =>
    (await api.get(`/contacts/by-email/${email}`)).data;
  const names = (): string[] => published.map(({ name }) => name);
  const changesOf = async (id: number) => {
    const { data } = await api.get(`/contacts/${id}/activity?type=contact.status_changed`);
    return data.map((entry: { data: object }) => entry.data);
  };
  const imported = async (csv: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([csv]), 'contacts.csv');
    const { status, body } = await api.post('/contacts/import', form);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data;
  };
  const campaign = () => given.campaign();
  const enroll = (id: number, body: object) => api.post(`/campaigns/${id}/contacts`, body);

  describe('on create', () => {
    it('has the status and the date, one event and an entry in the activity, and is not enrolled', async () => {
      const contact = await given.contact({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(contact).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect((await api.get(`/contacts/${contact.id}`)).data).toEqual(contact);
      expect(names()).toEqual(['contact.created']);
      expect(await changesOf(contact.id)).toEqual([{ from: 'active', to: 'unsubscribed', source: 'api' }]);
      const { id } = await campaign();
      expect((await enroll(id, { contact_ids: [contact.id] })).data).toMatchObject({ enrolled: 0, skipped: 1 });
      expect((await api.post(`/contacts/${contact.id}/resubscribe`)).data).toMatchObject({ status: 'active' });
    });

    it('has the time of the request without a date, and a day is its midnight in UTC', async () => {
      const now = await given.contact({ status: 'unsubscribed' });
      expect(now.unsubscribed_at).toEqual(expect.any(String));
      const day = await given.contact({ status: 'unsubscribed', unsubscribed_at: '2024-05-01' });
      expect(day.unsubscribed_at).toBe('2024-05-01T00:00:00.000Z');
    });

    it.each(['bounced', 'complained'])('can be %s, which blocks the address in no other workspace', async (status) => {
      const contact = await given.contact({ status });
      expect(contact).toMatchObject({ status, unsubscribed_at: status === 'bounced' ? null : expect.any(String) });
      const { data } = await api.post('/blacklist/check', { email: contact.email });
      expect(data.is_blacklisted).toBe(false);
      expect((await api.post(`/contacts/${contact.id}/resubscribe`)).status).toBe(422);
    });

    it('returns 422 for another status, a date in the future, and a date without such a status', async () => {
      const create = async (fields: object) =>
        (await api.post('/contacts', { email: 'x@example.com', ...fields })).body;
      expect(await create({ status: 'gone' })).toEqual(validationError('status'));
      const refused: object[] = [
        { status: 'unsubscribed', unsubscribed_at: TOMORROW },
        { status: 'unsubscribed', unsubscribed_at: '0001-01-01' },
        { status: 'unsubscribed', unsubscribed_at: 'May 1st' },
        { status: 'unsubscribed', unsubscribed_at: 7 },
        { status: 'active', unsubscribed_at: LONG_AGO },
        { unsubscribed_at: LONG_AGO },
      ];
      for (const fields of refused) expect(await create(fields)).toEqual(validationError('unsubscribed_at'));
    });

    it('is remembered if the contact is deleted, and the first date of all stays', async () => {
      const { id } = await given.contact({
        email: 'ada@example.com',
        status: 'unsubscribed',
        unsubscribed_at: LONG_AGO,
      });
      await api.delete(`/contacts/${id}`);
      const again = { email: 'ada@example.com', status: 'unsubscribed', unsubscribed_at: '2025-01-01' };
      expect(await given.contact(again)).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
    });
  });

  describe('on update', () => {
    it('ends its enrollments, and publishes what an unsubscription publishes', async () => {
      const ada = await given.contact();
      const { id } = await campaign();
      await enroll(id, { contact_ids: [ada.id] });
      published.length = 0;
      const { data } = await api.put(`/contacts/${ada.id}`, { status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(data).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(names()).toEqual(['contact.updated', 'contact.unsubscribed']);
      const { data: enrollments } = await api.get(`/campaigns/${id}/contacts`);
      expect(enrollments).toMatchObject([{ status: 'unsubscribed' }]);
      published.length = 0;
      expect((await api.put(`/contacts/${ada.id}`, data)).status).toBe(200);
      expect(names()).toEqual(['contact.updated', 'contact.timezone_changed']);
      expect(await changesOf(ada.id)).toHaveLength(1);
    });

    it('that has complained ends its enrollments, too', async () => {
      const ada = await given.contact();
      const { id } = await campaign();
      await enroll(id, { contact_ids: [ada.id] });
      expect((await api.put(`/contacts/${ada.id}`, { status: 'complained' })).data.status).toBe('complained');
      expect((await api.get(`/campaigns/${id}/contacts`)).data).toMatchObject([{ status: 'unsubscribed' }]);
    });

    it.each(['unsubscribed', 'bounced', 'complained'])('never becomes active again: %s', async (status) => {
      const { id } = await given.contact({ status });
      for (const body of [{ status: 'active' }, { status: null }]) {
        const refused = await api.put(`/contacts/${id}`, body);
        expect([refused.status, refused.body]).toEqual([422, validationError('status')]);
      }
      expect((await api.get(`/contacts/${id}`)).data.status).toBe(status);
    });

    it('returns 422 for another date without the status, and names the operation', async () => {
      const { id } = await given.contact({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      for (const unsubscribed_at of ['2024-01-01', null]) {
        const { body } = await api.put(`/contacts/${id}`, { unsubscribed_at });
        expect(body).toEqual(validationError('unsubscribed_at'));
        expect(body.errors.unsubscribed_at).toEqual([expect.stringContaining('POST /contacts/{id}/')]);
      }
    });
  });

  describe('on upsert', () => {
    it('is created and updated with the status', async () => {
      const created = await api.put('/contacts/by-email/ada@example.com', { status: 'bounced' });
      expect([created.status, created.data.status]).toEqual([201, 'bounced']);
      const body = { email: 'bob@example.com', status: 'unsubscribed', unsubscribed_at: LONG_AGO };
      expect((await api.put('/contacts/by-external-id/7', body)).data).toMatchObject({ unsubscribed_at: LONG_AGO });
      expect((await api.put('/contacts/by-external-id/7', { status: 'active' })).status).toBe(422);
    });

    it('of many gets the status, each with its events, and a way back fails alone', async () => {
      const [ada, bob] = [await given.contact(), await given.contact({ status: 'unsubscribed' })];
      published.length = 0;
      const contacts = [
        { email: ada.email, status: 'unsubscribed', unsubscribed_at: LONG_AGO },
        { email: bob.email, status: 'active', first_name: 'Bob' },
        { email: 'cleo@example.com', status: 'complained' },
        { email: 'cleo@example.com', status: 'unsubscribed' },
        { email: 'dan@example.com', unsubscribed_at: LONG_AGO },
      ];
      const { data } = await api.post('/contacts/bulk-upsert', { contacts });
      expect(data).toMatchObject({ created: 1, updated: 1, failed: 3 });
      const errors = data.results.map((result: { errors: object | null }) => Object.keys(result.errors ?? {}));
      expect(errors).toEqual([[], ['status'], [], ['status'], ['unsubscribed_at']]);
      expect(await found(ada.email)).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(await found('cleo@example.com')).toMatchObject({ status: 'complained' });
      expect(names()).toEqual(['contact.created', 'contact.updated', 'contact.unsubscribed']);
      expect(published.at(-1)?.ids).toEqual([ada.id]);
      expect(await changesOf(ada.id)).toEqual([{ from: 'active', to: 'unsubscribed', source: 'api' }]);
    });

    it('of many keeps the status that its address has refused mail with', async () => {
      const { id } = await given.contact({ email: 'ada@example.com', status: 'complained' });
      await api.delete(`/contacts/${id}`);
      const contacts = [{ email: 'ada@example.com' }, { email: 'ada@example.com', first_name: 'Ada' }];
      await api.post('/contacts/bulk-upsert', { contacts });
      expect(await found('ada@example.com')).toMatchObject({ status: 'complained', first_name: 'Ada' });
    });
  });

  describe('in the words of another service', () => {
    const statusOf = async (email: string) => (await found(email)).status;

    it.each(['Unsubscribed', 'Unsubscribed from all email', 'Email Opt Out', 'Do not contact'])(
      'is unsubscribed by a column %j without a mapping',
      async (column) => {
        const csv = `Email,${column}\nada@example.com,TRUE\nbob@example.com,FALSE\ncleo@example.com,\ndan@example.com,perhaps\n`;
        const data = await imported(csv);
        expect(data).toMatchObject({ imported: 3, failed: 1 });
        expect(data.errors).toMatchObject([{ row: 5, column, message: expect.stringContaining('without status') }]);
        expect(await statusOf('ada@example.com')).toBe('unsubscribed');
        expect([await statusOf('bob@example.com'), await statusOf('cleo@example.com')]).toEqual(['active', 'active']);
      },
    );

    it('has a status and a stage in other spellings, and never becomes active because of an unknown one', async () => {
      const csv =
        'email,Status,Lifecycle Stage\nada@example.com,DO_NOT_CONTACT,Marketing Qualified Lead\n' +
        'bob@example.com,Contacted,\ncleo@example.com,TRUE,\ndan@example.com,,In negotiation\n';
      const data = await imported(csv);
      expect(data).toMatchObject({ imported: 1, failed: 3 });
      expect(data.errors.map((error: { field: string }) => error.field)).toEqual([
        'status',
        'status',
        'lifecycle_stage',
      ]);
      expect(data.errors[2].message).toMatch(/subscriber.*To leave the column "Lifecycle Stage" out/);
      expect(await found('ada@example.com')).toMatchObject({
        status: 'unsubscribed',
        lifecycle_stage: 'marketing_qualified_lead',
      });
    });

    it('is refused as a file if several columns may say so', async () => {
      const form = new FormData();
      form.append('file', new Blob(['email,Status,Unsubscribed\nada@example.com,active,TRUE\n']), 'contacts.csv');
      const { status, body } = await api.post('/contacts/import', form);
      expect([status, body.errors]).toEqual([422, { 'mapping.status': [expect.stringContaining('"Unsubscribed"')] }]);
    });
  });

  describe('on import', () => {
    it('has the status and the date of its columns, in the formats of other services', async () => {
      const csv =
        'email,status,unsubscribed_at\nann@example.com,Unsubscribed,2024-05-01 09:30:00\n' +
        'bob@example.com,bounced,\ncleo@example.com,,\ndan@example.com,complained,2024-05-01T11:30:00+02:00\n';
      expect(await imported(csv)).toMatchObject({ imported: 4, failed: 0 });
      expect(await found('ann@example.com')).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(await found('bob@example.com')).toMatchObject({ status: 'bounced', unsubscribed_at: null });
      expect(await found('cleo@example.com')).toMatchObject({ status: 'active', unsubscribed_at: null });
      expect(await found('dan@example.com')).toMatchObject({ status: 'complained', unsubscribed_at: LONG_AGO });
      expect(names()).toEqual(['contact.created']);
      const { id } = await found('ann@example.com');
      expect(await changesOf(id)).toEqual([{ from: 'active', to: 'unsubscribed', source: 'import' }]);
    });

    it('has the status of the form if its row has none', async () => {
      const csv = 'Email,UNSUB_TIME\nann@example.com,2024-05-01 09:30:00\nbob@example.com,\n';
      const mapping = JSON.stringify({ email: 'Email', unsubscribed_at: 'UNSUB_TIME' });
      expect(await imported(csv, { mapping, status: 'unsubscribed' })).toMatchObject({ imported: 2 });
      expect(await found('ann@example.com')).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(await found('bob@example.com')).toMatchObject({
        status: 'unsubscribed',
        unsubscribed_at: expect.any(String),
      });
      expect(await imported('email\ncleo@example.com\n', { status: 'bounced' })).toMatchObject({ imported: 1 });
      expect((await found('cleo@example.com')).status).toBe('bounced');
    });

    it('stays out if one of several rows says so, in any order', async () => {
      const csv =
        'email,status,unsubscribed_at\nann@example.com,active,\nann@example.com,unsubscribed,2024-05-01T09:30:00Z\n' +
        'bob@example.com,unsubscribed,\nbob@example.com,active,\n';
      for (const skip_duplicates of ['1', '0']) {
        const domain = `${skip_duplicates}.example`;
        await imported(csv.replaceAll('example.com', domain), { skip_duplicates });
        expect(await found(`ann@${domain}`)).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
        expect((await found(`bob@${domain}`)).status).toBe('unsubscribed');
      }
    });

    it('is updated with its enrollments and events, but never made active again', async () => {
      const [ann, bob] = [await given.contact(), await given.contact({ status: 'unsubscribed' })];
      const { id } = await campaign();
      await enroll(id, { contact_ids: [ann.id] });
      published.length = 0;
      const csv = `email,status,first_name\n${ann.email},unsubscribed,Ann\n${bob.email},active,Bob\n`;
      const result = await imported(csv, { skip_duplicates: '0' });
      expect(result).toMatchObject({ updated: 1, failed: 1, errors: [{ row: 3, field: 'status', value: 'active' }] });
      expect(await found(ann.email)).toMatchObject({ status: 'unsubscribed', first_name: 'Ann' });
      expect(await found(bob.email)).toMatchObject({ status: 'unsubscribed', first_name: null });
      expect(names()).toEqual(['contact.updated', 'contact.unsubscribed']);
      expect(published.map(({ ids }) => ids)).toEqual([[ann.id], [ann.id]]);
      expect((await api.get(`/campaigns/${id}/contacts`)).data).toMatchObject([{ status: 'unsubscribed' }]);
      expect(await changesOf(ann.id)).toEqual([{ from: 'active', to: 'unsubscribed', source: 'import' }]);
    });

    it('fails its row for a wrong status or date', async () => {
      const csv =
        'email,status,unsubscribed_at\na@example.com,cleaned,\nb@example.com,unsubscribed,yesterday\n' +
        `c@example.com,,2024-05-01\nd@example.com,unsubscribed,${TOMORROW}\n`;
      const { failed, errors } = await imported(csv);
      expect(failed).toBe(4);
      expect(errors.map(({ field }: { field: string }) => field)).toEqual([
        'status',
        ...Array.from({ length: 3 }, () => 'unsubscribed_at'),
      ]);
    });

    it('is exported so that another workspace imports it with its status and date', async () => {
      await given.contact({ email: 'ann@example.com', status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      await given.contact({ email: 'bob@example.com', status: 'complained', unsubscribed_at: LONG_AGO });
      await given.contact({ email: 'cleo@example.com' });
      const { body } = await api.get('/contacts/export');
      api = await service.client();
      expect(await imported(String(body))).toMatchObject({ imported: 3, failed: 0 });
      expect(await found('ann@example.com')).toMatchObject({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
      expect(await found('bob@example.com')).toMatchObject({ status: 'complained', unsubscribed_at: LONG_AGO });
      expect(await found('cleo@example.com')).toMatchObject({ status: 'active', unsubscribed_at: null });
    });
  });

  it('is in segments by its status and date', async () => {
    const { id } = await given.contact({ status: 'unsubscribed', unsubscribed_at: LONG_AGO });
    await given.contact();
    const segment = await given.segment([
      { field: 'status', operator: 'equals', value: 'unsubscribed' },
      { field: 'unsubscribed_at', operator: 'equals', value: '2024-05-01' },
    ]);
    expect((await api.get(`/segments/${segment.id}/contacts`)).data).toMatchObject([{ id }]);
  });
});
