import type { ApiClient } from '../support/api-client.js';
import { validationError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const TEMPLATE = { name: 'Hello', subject: 'Hi', body: '<p>Hi</p>' };
const STEP = { subject: 'Hi', body: '<p>Hi</p>' };
const SCHEDULE = { timezone: 'Europe/Paris', days: [1, 2], start: '09:00', end: '18:00' };
const CONDITION = { field: 'email', operator: 'contains', value: 'a' };
const MAILBOX = {
  name: 'Mailbox',
  type: 'smtp',
  from_email: 'ann@example.com',
  from_name: 'Ann',
  smtp_host: '127.0.0.1',
  smtp_port: 25,
  smtp_username: 'ann',
  smtp_password: 'secret',
};

const range = <T>(length: number, value: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => value(index));

/** The times of a record that an update changes. */
const timesOf = ({ updated_at, contacts_counted_at }: Record<string, unknown>): object => ({
  updated_at,
  ...(contacts_counted_at === undefined ? {} : { contacts_counted_at }),
});

/** The fields that name something for people, by the path of the request that creates or changes it. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '/campaigns': ['name'],
  '/companies': ['name'],
  '/contacts': ['first_name', 'last_name', 'company'],
  '/custom-fields': ['label'],
  '/email-accounts': ['name', 'from_name'],
  '/lists': ['name'],
  '/segments': ['name'],
  '/settings': ['brand_name'],
  '/tags': ['name'],
  '/templates': ['name'],
  '/tokens': ['name'],
};

describe('the fields of a body', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeAll(async () => {
    api = await service.client();
  });

  const create = async (path: string, body: object): Promise<any> => {
    const response = await api.post(path, body);
    expect(response.status).toBe(201);
    return response.data ?? response.body;
  };

  describe('that are names', () => {
    /** The field is unknown, so that no request creates anything. */
    const errorsOf = async (path: string, name: string) => {
      const fields = Object.fromEntries((NAMES[path] ?? []).map((field) => [field, name]));
      const { body } = await (path === '/settings' ? api.put : api.post).call(api, path, { ...fields, nothing: 1 });
      return body.errors as Record<string, string[]>;
    };

    it.each(Object.keys(NAMES))('are a 422 in %s with control or bidirectional formatting characters', async (path) => {
      for (const name of ['evil\u202egnp.exe', '\u2067Acme', 'Ann\u200f', 'Ann\u001b[2J', 'Ann\u0007']) {
        const errors = await errorsOf(path, name);
        for (const field of NAMES[path] ?? [])
          expect([field, name, errors[field]]).toEqual([field, name, [expect.stringContaining('U+202E')]]);
      }
    });

    it.each(Object.keys(NAMES))('may in %s have letters of any script', async (path) => {
      for (const name of ['שרה כהן', 'نمی\u200cدانم', '👩\u200d💻 O’Hara'])
        expect(Object.keys(await errorsOf(path, name))).toEqual(expect.not.arrayContaining([...(NAMES[path] ?? [])]));
    });

    it('are a failed row in an import, and may have tabs and line breaks if they are of a person', async () => {
      const form = new FormData();
      const rows = ['a@example.com,Ann\u202e', 'b@example.com,"Ann\nMarie"', 'c@example.com,Ann\u0007'];
      form.set('file', new Blob([['email,first_name', ...rows].join('\n')]), 'contacts.csv');
      const { data } = await api.post('/contacts/import', form);
      expect([data.imported, data.errors.map(({ row, field }: any) => [row, field])]).toEqual([
        1,
        [
          [2, 'first_name'],
          [4, 'first_name'],
        ],
      ]);
    });
  });

  describe('that are unknown', () => {
    it('are a 422 that names the known field with the most similar name', async () => {
      const campaign = await create('/campaigns', { name: 'Spring' });
      const step = await api.post(`/campaigns/${campaign.id}/steps`, { ...STEP, delay_days: 2 });
      expect([step.status, step.body.errors]).toEqual([
        422,
        { delay_days: ['delay_days is not a known field. Did you mean delay_minutes?'] },
      ]);
      const template = await api.post('/templates', { ...TEMPLATE, is_libary: true, variable: [] });
      expect(template.body).toEqual(validationError('is_libary', 'variable'));
      expect(template.body.errors).toMatchObject({
        is_libary: [expect.stringContaining('is_library')],
        variable: [expect.stringContaining('variables')],
      });
    });

    it('are a 422 that names the similar value of an enum', async () => {
      const campaign = await create('/campaigns', { name: 'Spring', language: 'en' });
      const errorsFor = async (path: string, body: object) => (await api.post(path, body)).body.errors;
      expect((await errorsFor('/templates', { ...TEMPLATE, category: 'newsleter' })).category).toEqual([
        expect.stringMatching(/^category must be one of the following values: .*\. Did you mean newsletter\?$/),
      ]);
      const permissions = ['contacts:read', 'template:read', 'x'];
      const refused = await errorsFor('/tokens', { name: 'ci', permissions });
      expect(refused['permissions.1'][0]).toMatch(/\. Did you mean templates:read\?$/);
      expect(refused['permissions.2'][0]).not.toContain('Did you mean');
      const { body } = await api.get(`/campaigns/${campaign.id}/contacts?status=complete`);
      expect(body.errors.status[0]).toMatch(/\. Did you mean completed\?$/);
    });

    it('are a 422 beside the errors of other fields', async () => {
      const { body } = await api.post('/templates', { name: 7, subject: 'a\0b', body: 'x', colour: 'red' });
      expect(body).toEqual(validationError('name', 'subject', 'colour'));
    });

    it('are a 422 on their path in steps, conditions and schedules', async () => {
      const steps = [STEP, { ...STEP, delay: 5 }];
      const campaign = await api.post('/campaigns', { name: 'Spring', steps, schedule: { ...SCHEDULE, zone: 'x' } });
      expect(campaign.body).toEqual(validationError('steps.1.delay', 'schedule.zone'));
      const conditions = [{ ...CONDITION, op: 'x' }];
      const segment = await api.post('/segments', { name: 'All', match_type: 'all', conditions });
      expect(segment.body).toEqual(validationError('conditions.0.op'));
    });

    it('are the only error of a body or a record if they are more than 1,000', async () => {
      const keys = Object.fromEntries(range(1_001, (index) => [`key_${index}`, 1]));
      const { body } = await api.post('/contacts', { email: 'many@example.com', ...keys });
      expect(body).toEqual(validationError('body'));
      const records = [{ email: 'many@example.com', ...keys }, { email: 'few@example.com' }];
      const { data } = await api.post('/contacts/bulk-upsert', { contacts: records, match: 'email', on_match: 'skip' });
      expect(data).toMatchObject({ created: 1, failed: 1 });
      expect(Object.keys(data.results[0].errors)).toEqual(['record']);
    });

    it('are a 422 in a body that does not write the record at its path', async () => {
      const campaign = await create('/campaigns', { name: 'Spring' });
      const enroll = await api.post(`/campaigns/${campaign.id}/contacts`, {
        contact_ids: [1],
        contact_id: 2,
        status: 'x',
      });
      expect(enroll.body).toEqual(validationError('contact_id', 'status'));
    });

    it('are a 422 in an operation if other bodies of the record set them', async () => {
      const { id } = await create('/templates', TEMPLATE);
      const copy = await api.post(`/templates/${id}/duplicate`, { name: 'Copy', subject: 'Bye', category: 'other' });
      expect(copy.body).toEqual(validationError('subject', 'category'));
      const readOnly = { name: 'Copy', id: 7, created_at: 'never', unknown_variables: [] };
      expect((await api.post(`/templates/${id}/duplicate`, readOnly)).data).toMatchObject({
        ...TEMPLATE,
        name: 'Copy',
      });
    });

    it('are a 422 on their path in the tags and lists of a contact', async () => {
      const [tag, list] = [await create('/tags', { name: 'Strict' }), await create('/lists', { name: 'Strict' })];
      const [tags, lists] = [
        [tag.id, { ...tag, colour: 'red' }],
        [{ id: list.id, contact_count: 2 }, list],
      ];
      const { body } = await api.post('/contacts', { email: 'strict@example.com', tags, lists });
      expect(body).toEqual(validationError('tags.1.colour', 'lists.0.contact_count'));
      expect(body.errors['lists.0.contact_count']).toEqual([expect.stringContaining('contacts_count')]);
      const many = Array.from({ length: 200 }, () => ({ id: tag.id, colour: 'red' }));
      const refused = await api.post('/contacts', { email: 'strict@example.com', tags: many });
      expect(Object.keys(refused.body.errors)).toHaveLength(101);
    });

    it('are a 422 in forms, whether they are texts or files', async () => {
      const form = new FormData();
      form.set('file', new Blob(['email\nann@example.com\n']), 'contacts.csv');
      form.set('skip_duplicate', '1');
      expect((await api.post('/contacts/import', form)).body).toEqual(validationError('skip_duplicate'));
      form.delete('skip_duplicate');
      form.set('attachment', new Blob(['x']), 'x.txt');
      expect((await api.post('/contacts/import', form)).body).toEqual(validationError('attachment'));
    });

    it('are a 422 even if they are named like members of a prototype', async () => {
      const text = JSON.stringify(TEMPLATE).replace(
        '{',
        '{"__proto__":{"is_library":true},"constructor":1,"toString":2,',
      );
      const { status, body } = await api.post('/templates', text);
      expect(status).toBe(422);
      expect(Object.keys(body.errors).sort()).toEqual(['__proto__', 'constructor', 'toString']);
    });

    it('are accepted in maps with arbitrary keys', async () => {
      const contact = await create('/contacts', { email: 'free@example.com', custom_fields: { delay_days: '2' } });
      expect(contact.custom_fields).toEqual({ delay_days: '2' });
      const template = await create('/templates', { ...TEMPLATE, body: '{{ anything }}' });
      const preview = await api.post(`/templates/${template.id}/preview`, { variables: { anything: 'x' } });
      expect(preview).toMatchObject({ status: 200, data: { body: 'x' } });
    });
  });

  describe('that a record shows', () => {
    const records: [string, () => Promise<string>][] = [
      ['a list', async () => `/lists/${(await create('/lists', { name: 'List' })).id}`],
      ['a tag', async () => `/tags/${(await create('/tags', { name: 'Tag', color: '#123456' })).id}`],
      ['a company', async () => `/companies/${(await create('/companies', { name: 'Acme' })).id}`],
      [
        'a custom field',
        async () => `/custom-fields/${(await create('/custom-fields', { key: 'plan', type: 'text' })).id}`,
      ],
      ['a template', async () => `/templates/${(await create('/templates', TEMPLATE)).id}`],
      ['a campaign', async () => `/campaigns/${(await create('/campaigns', { name: 'A', schedule: SCHEDULE })).id}`],
      ['an email account', async () => `/email-accounts/${(await create('/email-accounts', MAILBOX)).id}`],
      [
        'a segment',
        async () =>
          `/segments/${(await create('/segments', { name: 'A', match_type: 'all', conditions: [CONDITION] })).id}`,
      ],
      [
        'a webhook',
        async () =>
          `/webhooks/${(await create('/webhooks', { url: 'https://example.com', events: ['email.sent'] })).id}`,
      ],
    ];

    it.each(records)('can be sent back unchanged: %s', async (_, path) => {
      const url = await path();
      const { data } = await api.get(url);
      const { status, data: updated } = await api.put(url, data);
      expect([status, updated]).toEqual([200, { ...data, ...timesOf(updated) }]);
    });

    it('can be sent back unchanged: a contact with its tags and lists', async () => {
      const [tag, list] = [await create('/tags', { name: 'Hot' }), await create('/lists', { name: 'Friends' })];
      const { id } = await create('/contacts', { email: 'back@example.com', tags: [tag.id], lists: [list.id] });
      const { data } = await api.get(`/contacts/${id}`);
      const { status, data: updated } = await api.put(`/contacts/${id}`, { ...data, first_name: 'Ann' });
      expect(status).toBe(200);
      expect(updated).toMatchObject({ first_name: 'Ann', tags: [{ id: tag.id }], lists: [{ id: list.id }] });
      const wrong = await api.put(`/contacts/${id}`, { tags: [tag.id, {}, { id: 'x' }] });
      expect(wrong.body).toEqual(validationError('tags.1', 'tags.2'));
    });

    it('can be sent back unchanged: a step', async () => {
      const campaign = await create('/campaigns', { name: 'Steps', steps: [STEP] });
      const steps = `/campaigns/${campaign.id}/steps`;
      const [step] = (await api.get(steps)).data;
      const { status, data } = await api.put(`${steps}/${step.id}`, step);
      expect([status, data]).toEqual([200, { ...step, updated_at: data.updated_at }]);
      expect((await api.post(steps, step)).status).toBe(201);
    });

    it('can be sent back unchanged: a segment whose tag, list, company and custom field were deleted', async () => {
      const references: object[] = [];
      for (const [path, field] of [
        ['/tags', 'tag_id'],
        ['/lists', 'list_id'],
        ['/companies', 'company_id'],
      ] as const) {
        const { id } = await create(path, { name: 'Gone' });
        references.push({ field, operator: 'equals', value: String(id) });
      }
      const { id: fieldId } = await create('/custom-fields', { key: 'gone', type: 'number' });
      const conditions = [...references, { field: 'custom_fields.gone', operator: 'less_than', value: '3' }];
      const { id } = await create('/segments', { name: 'Gone', match_type: 'any', conditions });
      for (const { field, value } of references as { field: string; value: string }[]) {
        const path = field === 'company_id' ? '/companies' : `/${field.replace('_id', 's')}`;
        expect((await api.delete(`${path}/${value}`)).status).toBe(204);
      }
      expect((await api.delete(`/custom-fields/${fieldId}`)).status).toBe(204);
      const { data } = await api.get(`/segments/${id}`);
      const { status, data: updated } = await api.put(`/segments/${id}`, data);
      expect([status, updated]).toEqual([200, { ...data, ...timesOf(updated) }]);
      const others = conditions.map((condition) => ({ ...condition, operator: 'not_equals' }));
      expect((await api.put(`/segments/${id}`, { conditions: others })).body).toEqual(
        validationError('conditions.0.value', 'conditions.1.value', 'conditions.2.value', 'conditions.3.field'),
      );
      expect((await api.post('/segments', { name: 'Gone', match_type: 'any', conditions })).status).toBe(422);
    });

    it('have no effect if a body cannot set them', async () => {
      const template = await create('/templates', { ...TEMPLATE, id: 999, created_at: 'never' });
      expect(template).toMatchObject({ ...TEMPLATE, created_at: template.updated_at });
      expect(template.id).not.toBe(999);
    });
  });

  describe('that only an operation changes', () => {
    const records: [string, object, string, string][] = [
      ['/campaigns', { name: 'Moved', pause_reason: null }, 'status', 'active'],
      ['/campaigns', { name: 'Moved', status: 'draft' }, 'pause_reason', 'bounce_rate'],
      ['/email-accounts', { ...MAILBOX, disabled_reason: null }, 'is_default', 'x'],
      ['/email-accounts', MAILBOX, 'disabled_reason', 'bounce_rate'],
      ['/webhooks', { url: 'https://example.com', events: ['email.sent'] }, 'secret', 'whsec_mine'],
    ];

    it.each(records)('are a 422 in a body of %s %p on %s with another value', async (path, body, field, value) => {
      const { id } = await create(path, body);
      const created = await api.post(path, { ...body, [field]: value });
      const updated = await api.put(`${path}/${id}`, { [field]: value });
      for (const { status, body: refused } of [created, updated]) {
        expect([status, refused]).toEqual([422, validationError(field)]);
        expect(refused.errors[field]).toEqual([expect.stringContaining(`${field} cannot be set: `)]);
      }
    });

    it('name the operation', async () => {
      const { body } = await api.post('/campaigns', { name: 'Moved', status: 'active' });
      expect(body.errors.status).toEqual([expect.stringContaining('POST /campaigns/{id}/start')]);
    });

    it('can be sent as they are stored: a secret, a type, and what a new record has', async () => {
      const webhook = await create('/webhooks', { url: 'https://example.com', events: ['email.sent'] });
      expect((await api.put(`/webhooks/${webhook.id}`, webhook)).status).toBe(200);
      const field = await create('/custom-fields', { key: 'level', type: 'number' });
      expect((await api.put(`/custom-fields/${field.id}`, { ...field, label: 'Level' })).status).toBe(200);
      const other = await api.put(`/custom-fields/${field.id}`, { key: 'rank', type: 'text' });
      expect(other.body).toEqual(validationError('key', 'type'));
      const alone = await service.client();
      const account = await alone.post('/email-accounts', { ...MAILBOX, is_default: false });
      expect(account.body).toEqual(validationError('is_default'));
      expect((await alone.post('/email-accounts', { ...MAILBOX, is_default: true })).status).toBe(201);
      expect((await alone.post('/email-accounts', { ...MAILBOX, is_default: true })).status).toBe(422);
      const token = { name: 'Reader', permissions: ['contacts:read'], token: 'out_mine' };
      expect((await api.post('/tokens', token)).body).toEqual(validationError('token'));
    });
  });

  describe('of which there are too many', () => {
    it('are a 422 on an object with more than 1,000 keys', async () => {
      const fields = (keys: number) => Object.fromEntries(range(keys, (index) => [`key${index}`, 1]));
      const nested = await api.post('/contacts', { email: 'a@example.com', custom_fields: fields(1_001) });
      expect(nested.body).toEqual(validationError('custom_fields'));
      expect((await api.post('/templates', fields(60_000))).body.errors).toMatchObject({
        body: ['An object can have at most 1,000 keys.'],
      });
    });

    it('are a 422 on the path at which a body has more than 20,000 values', async () => {
      const campaign = await create('/campaigns', { name: 'Many' });
      const enroll = (body: object) => api.post(`/campaigns/${campaign.id}/contacts`, body);
      expect((await enroll({ contact_ids: range(400_000, () => 1) })).body).toEqual(validationError('contact_ids'));
      expect((await enroll({ contact_ids: range(10_000, () => 1) })).status).toBe(201);
      const steps = range(50_000, () => ({}));
      expect((await api.post('/campaigns', { name: 'Many', steps })).body).toEqual(validationError('steps'));
      const text = `{"custom_fields":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
      const deep = await api.post('/contacts', text);
      expect(Object.keys(deep.body.errors)).toContainEqual(expect.stringMatching(/^custom_fields(\.0)+$/));
    });
  });

  describe('that are invalid', () => {
    it('are named, the first 100 of them, and counted', async () => {
      const emails = range(1_000, (index) => `nobody ${index}`);
      const { status, body } = await api.post('/blacklist/bulk-create', { emails });
      expect(status).toBe(422);
      expect(Object.keys(body.errors)).toEqual([...range(100, (index) => `emails.${index}`), '_more']);
      expect(body.errors._more).toEqual(['900 more fields are invalid.']);
    });

    it('are named by at most 500 characters', async () => {
      const { body } = await api.post('/templates', { ...TEMPLATE, ['x'.repeat(900_000)]: 1 });
      expect(Object.keys(body.errors)).toEqual([`${'x'.repeat(500)}…`]);
      expect(JSON.stringify(body).length).toBeLessThan(2_000);
    });
  });

  describe('of a query string', () => {
    it('are a 422 that names the known parameter with the most similar name', async () => {
      const { status, body } = await api.get('/contacts?emial=ann@example.com&per_page=0&page[]=1');
      expect(status).toBe(422);
      expect(body).toEqual(validationError('emial', 'per_page', 'page[]'));
      expect(body.errors.emial).toEqual(['emial is not a known query parameter. Did you mean email?']);
      const many = range(500, (index) => `name${index}=1`).join('&');
      expect(Object.keys((await api.get(`/templates?${many}`)).body.errors)).toHaveLength(101);
    });

    it('are a 422 on every route that has no such parameter, after 401, 403 and 404', async () => {
      const { id } = await create('/lists', { name: 'Parameters' });
      const reader = await api.post('/tokens', { name: 'Reader', permissions: ['contacts:read'] });
      const refused = validationError('colour');
      expect((await api.get('/me?colour=blue')).body).toEqual(refused);
      expect((await api.post('/lists?colour=blue', { name: 'Other' })).body).toEqual(refused);
      expect((await api.put(`/lists/${id}?colour=blue`, {})).body).toEqual(refused);
      expect((await api.delete(`/lists/${id}?colour=blue`)).body).toEqual(refused);
      expect((await api.get(`/lists/${id}`)).status).toBe(200);
      const as = async (authorization: string) => (await api.get('/templates?colour=blue', { authorization })).status;
      expect([await as(''), await as(`Bearer ${reader.data.token}`)]).toEqual([401, 403]);
      expect((await api.put('/lists/999999999?colour=blue', {})).status).toBe(404);
    });

    it('are ignored if they begin with an underscore', async () => {
      expect((await api.get('/templates?_=1&_ts=2&__proto__=3')).status).toBe(200);
      expect((await api.get('/me?_=1')).status).toBe(200);
    });
  });
});
