import type { ApiClient } from '../support/api-client.js';
import { httpError, TIMESTAMP, UNKNOWN_ID, validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { DATE_FIELDS, TEXT_FIELDS } from '../support/segment-fields.js';
import { useSharedService } from '../support/service.js';

const SHOWN_DATES = {
  contacts_counted_at: expect.stringMatching(TIMESTAMP),
  created_at: expect.stringMatching(TIMESTAMP),
  updated_at: expect.stringMatching(TIMESTAMP),
};

const names = (response: { data: { name: string }[] }) => response.data.map(({ name }) => name);

const isAda = { field: 'first_name', operator: 'equals', value: 'Ada' };
const shown = (condition: object) => ({ value: null, connector: null, ...condition });

const ANY = ['equals', 'not_equals', 'is_empty', 'is_not_empty'];
const OF_TEXT = ['contains', 'not_contains', 'starts_with', 'ends_with'];
const OF_ORDER = ['greater_than', 'less_than'];
const OPERATORS = [...ANY, ...OF_TEXT, ...OF_ORDER];

describe('/segments', () => {
  const service = useSharedService();
  let api: ApiClient;
  let other: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    other = await service.client();
    given = new Given(api, service.database);
  });

  const post = (fields: object) =>
    api.post('/segments', { name: 'A', match_type: 'all', conditions: [isAda], ...fields });
  const postOne = (condition: unknown) => post({ conditions: [condition] });

  it('creates, reads, changes and deletes a segment', async () => {
    await given.contact({ first_name: 'Ada' });
    const conditions = [
      { ...isAda, field: ' first_name ', value: ' Ada ' },
      { field: 'email', operator: 'is_not_empty', connector: 'and' },
      { field: 'phone', operator: 'is_empty', value: { any: ['thing'] }, connector: 'or' },
      { field: 'lifecycle_stage', operator: 'not_equals', value: 'lead', connector: null },
    ];
    const created = await post({ name: ' A ', description: ' B ', conditions, id: 7, contacts_count: 9 });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      data: {
        id: expect.any(Number),
        name: 'A',
        description: 'B',
        match_type: 'all',
        conditions: [
          { field: 'first_name', operator: 'equals', value: 'Ada', connector: null },
          { field: 'email', operator: 'is_not_empty', value: null, connector: 'and' },
          { field: 'phone', operator: 'is_empty', value: null, connector: 'or' },
          { field: 'lifecycle_stage', operator: 'not_equals', value: 'lead', connector: null },
        ],
        contacts_count: 1,
        ...SHOWN_DATES,
      },
    });
    const { id } = created.data;
    const same = { data: { ...created.data, ...SHOWN_DATES } };
    expect(await api.get(`/segments/${id}`)).toMatchObject({ status: 200, body: same });
    expect((await api.get('/segments')).body.data).toEqual([same.data]);
    const renamed = await api.put(`/segments/${id}`, { name: 'C', id: 7 });
    expect(renamed).toMatchObject({ status: 200, body: { data: { ...same.data, name: 'C' } } });
    expect(Object.keys(renamed.data)).toEqual(Object.keys(created.data));
    expect(await api.delete(`/segments/${id}`)).toMatchObject({ status: 204, body: '' });
    for (const gone of [
      api.get(`/segments/${id}`),
      api.put(`/segments/${id}`, { name: 7 }),
      api.delete(`/segments/${id}`),
      api.get(`/segments/${id}/contacts?page=x`),
      api.get(`/segments/${id}/preview`),
    ]) {
      expect(await gone).toMatchObject({ status: 404, body: httpError(404) });
    }
  });

  it('returns 404 for an ID that does not exist, and in another workspace', async () => {
    const { id } = await given.segment([isAda]);
    for (const path of ['0', '-1', '1.5', 'x', '9007199254740993', String(UNKNOWN_ID)]) {
      expect((await api.get(`/segments/${path}`)).body).toEqual(httpError(404));
    }
    expect((await other.get(`/segments/${id}`)).body).toEqual(httpError(404));
    expect((await other.put(`/segments/${id}`, { name: 7 })).body).toEqual(httpError(404));
    expect((await other.delete(`/segments/${id}`)).body).toEqual(httpError(404));
    expect((await other.get(`/segments/${id}/contacts?sort=x`)).body).toEqual(httpError(404));
    expect((await other.get(`/segments/${id}/preview`)).body).toEqual(httpError(404));
    expect((await other.get('/segments')).data).toEqual([]);
    expect((await api.get(`/segments/${id}`)).data.name).toBe('Segment');
  });

  it('requires the permissions segments:read and segments:write', async () => {
    const { id } = await given.segment([isAda]);
    const body = { name: 'A', match_type: 'any', conditions: [isAda] };
    const reads = ['', `/${id}`, `/${id}/contacts`, `/${id}/preview`].map((path) => ['GET', path] as const);
    const writes = [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const;
    const forbidden = { error: 'Forbidden', message: expect.any(String) };
    for (const [allowed, calls] of [
      ['segments:read', reads],
      ['segments:write', writes],
    ] as const) {
      const permitted = await service.client([allowed]);
      const others = await service.client(
        (['segments:read', 'segments:write', 'contacts:read', 'contacts:write'] as const).filter((p) => p !== allowed),
      );
      for (const [method, path] of calls) {
        const sent = method === 'GET' ? undefined : body;
        const denied = await others.call(method, `/segments${path}`, sent);
        expect([method, path, denied.status, denied.body]).toEqual([method, path, 403, forbidden]);
        // The segment belongs to another workspace, so that a permitted call returns 404.
        const { status } = await permitted.call(method, `/segments${path}`, sent);
        expect([method, path, status]).toEqual([method, path, path ? 404 : method === 'GET' ? 200 : 201]);
      }
    }
    expect((await fetch(`${service.url}/v1/segments/${id}`)).status).toBe(401);
    expect((await api.call('POST', `/segments/${id}`, {})).status).toBe(405);
  });

  describe('POST and PUT', () => {
    it.each([
      [{ name: undefined }, ['name']],
      [{ name: null }, ['name']],
      [{ name: '  ' }, ['name']],
      [{ name: 7 }, ['name']],
      [{ name: 'x'.repeat(256) }, ['name']],
      [{ name: 'a\0' }, ['name']],
      [{ description: 'x'.repeat(1001) }, ['description']],
      [{ description: 7 }, ['description']],
      [{ match_type: undefined }, ['match_type']],
      [{ match_type: null }, ['match_type']],
      [{ match_type: 'ALL' }, ['match_type']],
      [{ match_type: ['all'] }, ['match_type']],
      [{ conditions: undefined }, ['conditions']],
      [{ conditions: null }, ['conditions']],
      [{ conditions: [] }, ['conditions']],
      [{ conditions: 'x' }, ['conditions']],
      [{ conditions: isAda }, ['conditions']],
      [{ conditions: { 0: isAda } }, ['conditions']],
      [{ conditions: Array.from({ length: 21 }, () => isAda) }, ['conditions']],
      [{ conditions: [isAda, null] }, ['conditions.1']],
      [{ conditions: [isAda, 'x'] }, ['conditions.1']],
      [{ conditions: [isAda, 7, isAda, true] }, ['conditions.1', 'conditions.3']],
      [{ conditions: [[isAda]] }, ['conditions.0']],
      [{ conditions: [[]] }, ['conditions.0']],
      [
        { conditions: [isAda, [], { ...isAda, field: 7 }, 'x'] },
        ['conditions.1', 'conditions.2.field', 'conditions.3'],
      ],
      [{ conditions: [{}] }, ['conditions.0.field', 'conditions.0.operator']],
      [{ conditions: [isAda, { ...isAda, connector: 'xor' }] }, ['conditions.1.connector']],
      [{ conditions: [isAda, { ...isAda, connector: 'AND' }] }, ['conditions.1.connector']],
      [{ conditions: [isAda, { ...isAda, connector: 1 }] }, ['conditions.1.connector']],
      [{ name: '', match_type: 'x', conditions: [] }, ['name', 'match_type', 'conditions']],
    ])('return 422 for a body with %j', async (fields, errorKeys) => {
      expect((await post(fields)).body).toEqual(validationError(...errorKeys));
      const { id, ...before } = await given.segment([isAda]);
      const sent = Object.values(fields).every((value) => value === undefined) ? { name: null } : fields;
      const expected = sent === fields ? errorKeys : ['name'];
      expect((await api.put(`/segments/${id}`, sent)).body).toEqual(validationError(...expected));
      expect((await api.get(`/segments/${id}`)).data).toEqual({ id, ...before, ...SHOWN_DATES });
    });

    it('return 422 for a body that is not an object', async () => {
      for (const body of ['[]', '7', 'null', '"x"']) expect((await api.post('/segments', body)).status).toBe(422);
      expect((await api.post('/segments')).body).toEqual(validationError('name', 'match_type', 'conditions'));
      expect((await api.post('/segments', '{')).status).toBe(400);
    });

    it.each([
      [{ field: undefined }, 'field'],
      [{ field: null }, 'field'],
      [{ field: '' }, 'field'],
      [{ field: 7 }, 'field'],
      [{ field: 'id' }, 'field'],
      [{ field: 'custom_fields' }, 'field'],
      [{ field: 'custom_fields.' }, 'field'],
      [{ field: 'custom_fields.nowhere' }, 'field'],
      [{ field: 'custom_fields.constructor' }, 'field'],
      [{ field: 'search_text' }, 'field'],
      [{ field: 'workspace_id' }, 'field'],
      [{ field: 'Email' }, 'field'],
      [{ field: 'toString' }, 'field'],
      [{ field: "email'; --" }, 'field'],
      [{ field: 'x'.repeat(10_000) }, 'field'],
      [{ operator: undefined }, 'operator'],
      [{ operator: null }, 'operator'],
      [{ operator: '=' }, 'operator'],
      [{ operator: ['equals'] }, 'operator'],
      [{ operator: 'constructor' }, 'operator'],
      [{ value: undefined }, 'value'],
      [{ value: null }, 'value'],
      [{ value: '' }, 'value'],
      [{ value: ' \n ' }, 'value'],
      [{ value: {} }, 'value'],
      [{ value: ['Ada'] }, 'value'],
      [{ value: 'x'.repeat(501) }, 'value'],
      [{ value: '🎈'.repeat(501) }, 'value'],
      [{ value: 'a\0b' }, 'value'],
    ])('return 422 for a condition with %j', async (change, part) => {
      expect((await post({ conditions: [isAda, { ...isAda, ...change }] })).body).toEqual(
        validationError(`conditions.1.${part}`),
      );
    });

    it('return 422 with an error for each invalid condition', async () => {
      const theirs = (await other.post('/tags', { name: 'T' })).data;
      const conditions = [
        isAda,
        { field: 'nowhere', operator: 'equals', value: 'x' },
        { field: 'status', operator: 'contains', value: 'x' },
        { field: 'status', operator: 'equals', value: 'x' },
        { field: 'tag_id', operator: 'equals', value: theirs.id },
      ];
      expect((await post({ conditions })).body).toEqual(
        validationError(
          'conditions.1.field',
          'conditions.2.operator',
          'conditions.2.value',
          'conditions.3.value',
          'conditions.4.value',
        ),
      );
    });
  });

  it('accepts the operators of each field, and returns 422 for the others', async () => {
    for (const type of ['text', 'number', 'boolean', 'date']) await given.group('/custom-fields', { key: type, type });
    const ids: Record<string, number> = {};
    for (const [field, path] of [
      ['company_id', '/companies'],
      ['tag_id', '/tags'],
      ['list_id', '/lists'],
    ] as const) {
      ids[field] = (await given.group(path)).id;
    }
    const fields: [string, string[], unknown][] = [
      ...TEXT_FIELDS.map((field): [string, string[], unknown] => [field, [...ANY, ...OF_TEXT], 'x']),
      ['custom_fields.text', [...ANY, ...OF_TEXT], 'x'],
      ...[...DATE_FIELDS, 'custom_fields.date'].map((field): [string, string[], unknown] => [
        field,
        [...ANY, ...OF_ORDER],
        '2026-11-21',
      ]),
      ['custom_fields.number', [...ANY, ...OF_ORDER], '7.5'],
      ['custom_fields.boolean', ANY, 'true'],
      ['status', ANY, 'bounced'],
      ['lifecycle_stage', ANY, 'evangelist'],
      ...Object.entries(ids).map(([field, id]): [string, string[], unknown] => [field, ANY, id]),
    ];
    for (const [field, fitting, value] of fields) {
      for (const operator of OPERATORS) {
        const response = await postOne({ field, operator, value });
        const isAccepted = fitting.includes(operator);
        const expected = isAccepted
          ? { data: expect.objectContaining({ contacts_count: 0 }) }
          : validationError('conditions.0.operator');
        expect([field, operator, response.body]).toEqual([field, operator, expected]);
        if (!isAccepted) continue;
        const takesNone = operator.endsWith('empty');
        const condition = { field, operator, value: takesNone ? null : String(value), connector: null };
        expect(response.data.conditions).toEqual([condition]);
      }
    }
  });

  it.each([
    ['status', ['actived', 'Active', '1', 'true']],
    ['lifecycle_stage', ['leads', 'Lead', ' lead s']],
    ['created_at', ['x', '2026', '2026-13-01', '2026-02-30', '21.11.2026', '2026-11-21T08:30:00', 'now', '1795200000']],
    ['custom_fields.date', ['x', '2026-02-29', '0000-01-01', '2026-11-21 08:30:00Z', '2026-11-21T25:00:00Z']],
    ['custom_fields.number', ['x', '1,5', '0x10', 'Infinity', '1e999', 'NaN', '1 2', true]],
    ['custom_fields.boolean', ['yes', 'TRUE', '1', 0]],
    ['company_id', ['x', '0', '-1', '1.5', '1e3', '9007199254740993', '99999999999999999999', UNKNOWN_ID, true]],
    ['tag_id', ['x', '0', UNKNOWN_ID]],
    ['list_id', ['x', '0', UNKNOWN_ID]],
  ])('returns 422 for invalid values of %s', async (field, values) => {
    for (const type of ['number', 'boolean', 'date']) await given.group('/custom-fields', { key: type, type });
    for (const value of values) {
      for (const operator of ['equals', 'not_equals']) {
        const { body } = await postOne({ field, operator, value });
        expect([value, body]).toEqual([value, validationError('conditions.0.value')]);
      }
    }
  });

  it('returns 422 for IDs and custom fields of another workspace', async () => {
    const field = await other.post('/custom-fields', { key: 'theirs', type: 'text' });
    expect(field.status).toBe(201);
    expect((await postOne({ field: 'custom_fields.theirs', operator: 'is_empty' })).body).toEqual(
      validationError('conditions.0.field'),
    );
    const { id } = await given.segment([isAda]);
    for (const [name, path] of [
      ['company_id', '/companies'],
      ['tag_id', '/tags'],
      ['list_id', '/lists'],
    ] as const) {
      const theirs = (await other.post(path, { name: 'Theirs' })).data.id;
      for (const value of [theirs, String(theirs)]) {
        const conditions = [isAda, { field: name, operator: 'not_equals', value }];
        expect((await post({ conditions })).body).toEqual(validationError('conditions.1.value'));
        expect((await api.put(`/segments/${id}`, { conditions })).body).toEqual(validationError('conditions.1.value'));
      }
      expect((await postOne({ field: name, operator: 'is_empty', value: theirs })).status).toBe(201);
    }
  });

  it('converts numbers and booleans to strings, and accepts values up to the maximum length', async () => {
    for (const type of ['text', 'number', 'boolean']) await given.group('/custom-fields', { key: type, type });
    const list = await given.group('/lists');
    for (const [field, value, text] of [
      ['first_name', 7, '7'],
      ['first_name', 0, '0'],
      ['first_name', false, 'false'],
      ['custom_fields.text', 1.5, '1.5'],
      ['custom_fields.number', -1.5, '-1.5'],
      ['custom_fields.number', 1e21, '1e+21'],
      ['custom_fields.boolean', true, 'true'],
      ['list_id', list.id, String(list.id)],
      ['phone', '🎈'.repeat(500), '🎈'.repeat(500)],
      ['phone', ' x ', 'x'],
      ['email', 'Ada@Example.com', 'Ada@Example.com'],
    ]) {
      const { status, data } = await postOne({ field, operator: 'equals', value });
      expect([field, value, status, data?.conditions]).toEqual([
        ...[field, value, 201],
        [shown({ field, operator: 'equals', value: text })],
      ]);
    }
    for (const value of ['x'.repeat(501), 7, true, [], {}, null, '']) {
      const { status, data } = await postOne({ field: 'phone', operator: 'is_not_empty', value });
      expect([status, data?.conditions]).toEqual([201, [shown({ field: 'phone', operator: 'is_not_empty' })]]);
    }
    const longest = await post({
      name: '🎈'.repeat(255),
      description: '🎈'.repeat(1000),
      conditions: Array.from({ length: 20 }, () => isAda),
    });
    expect(longest).toMatchObject({ status: 201, body: { data: { description: '🎈'.repeat(1000) } } });
    expect(longest.data.conditions).toHaveLength(20);
    for (const description of [undefined, null, '', '  ']) {
      expect((await post({ description })).data.description).toBeNull();
    }
  });

  it('changes the fields in the body and no others', async () => {
    await given.contact({ first_name: 'Ada' });
    await given.contact({ first_name: 'Bob' });
    const isBob = { ...isAda, value: 'Bob' };
    const made = await given.segment([isAda, { ...isBob, connector: null }], { description: 'D' });
    expect(made.contacts_count).toBe(0);
    const path = `/segments/${made.id}`;
    const put = async (body?: object) => {
      const response = await api.put(path, body);
      expect(response.status).toBe(200);
      expect((await api.get(path)).data).toEqual({ ...response.data, contacts_counted_at: expect.any(String) });
      return response.data;
    };
    const still = { ...made, contacts_counted_at: expect.any(String) };
    expect(await put({})).toEqual(still);
    expect(await put(undefined)).toEqual(still);
    expect(await put({ id: 7 })).toEqual(still);
    const any = await put({ match_type: 'any' });
    expect(any).toEqual({ ...still, match_type: 'any', contacts_count: 2, updated_at: any.updated_at });
    expect(any.updated_at > made.updated_at).toBe(true);
    expect((await put({ description: null })).description).toBeNull();
    expect(await put({ name: 'N', description: 'E' })).toMatchObject({
      name: 'N',
      description: 'E',
      contacts_count: 2,
    });
    expect(await put({ description: '' })).toMatchObject({ name: 'N', description: null });
    const replaced = await put({ conditions: [isBob] });
    expect(replaced).toMatchObject({ match_type: 'any', conditions: [shown(isBob)], contacts_count: 1 });
    expect(await put({ conditions: [isAda, { ...isBob, connector: 'and' }] })).toMatchObject({ contacts_count: 0 });
  });

  describe('GET /segments', () => {
    it('returns pages of 15, newest first, with links', async () => {
      for (let n = 1; n <= 17; n++) await given.segment([isAda], { name: `S${n}` });
      await other.post('/segments', { name: 'Theirs', match_type: 'all', conditions: [isAda] });
      const first = await api.get('/segments?search=s&match_type=all');
      expect(names(first)).toEqual(Array.from({ length: 15 }, (_, n) => `S${17 - n}`));
      expect(first.body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 15, total: 17, count: 15 });
      const at = (page: number) => `http://outreach.test/v1/segments?search=s&match_type=all&page=${page}`;
      expect(first.body.links).toEqual({ first: at(1), last: at(2), prev: null, next: at(2) });
      const last = await api.get('/segments?search=s&match_type=all&page=2');
      expect([names(last), last.body.links.next, last.body.links.prev]).toEqual([['S2', 'S1'], null, at(1)]);
      const past = await api.get('/segments?page=9');
      expect([past.status, past.data, past.body.meta.count]).toEqual([200, [], 0]);
      expect(past.body.links.prev).toBe('http://outreach.test/v1/segments?page=2');
      expect((await api.get('/segments?per_page=100')).body.meta).toMatchObject({ per_page: 100, count: 17 });
    });

    it('returns one empty page if there are no segments', async () => {
      const { body } = await api.get('/segments');
      expect(body).toMatchObject({
        data: [],
        meta: { current_page: 1, last_page: 1, per_page: 15, total: 0, count: 0 },
      });
    });

    it('searches name and description for every term', async () => {
      for (const [name, description] of [
        ['Warm leads', 'from Paris'],
        ['Cold leads', null],
        ['100% sure', 'under_score'],
        ['1000 unsure', 'underscore'],
      ]) {
        await given.segment([isAda], { name, description });
      }
      const found = async (search: string) => names(await api.get(`/segments?search=${encodeURIComponent(search)}`));
      expect(await found('LEADS')).toEqual(['Cold leads', 'Warm leads']);
      expect(await found('  paris\tleads ')).toEqual(['Warm leads']);
      expect(await found('paris cold')).toEqual([]);
      expect(await found('%')).toEqual(['100% sure']);
      expect(await found('r_s')).toEqual(['100% sure']);
      expect(await found('\\')).toEqual([]);
      expect(await found('w a r m l e nowhere')).toEqual(['Warm leads']);
      expect(await found('   ')).toHaveLength(4);
    });

    it('filters and sorts', async () => {
      const made = [];
      for (const [name, match_type] of [
        ['b', 'any'],
        ['a', 'all'],
        ['b', 'all'],
      ]) {
        made.push(await given.segment([isAda], { name, match_type }));
      }
      const [first, second, third] = made.map(({ id }) => id);
      await api.put(`/segments/${second}`, { description: 'changed' });
      const ids = async (query: string) =>
        (await api.get(`/segments?${query}`)).data.map(({ id }: { id: number }) => id);
      expect(await ids('match_type=all')).toEqual([third, second]);
      expect(await ids('match_type=any')).toEqual([first]);
      expect(await ids('direction=asc')).toEqual([first, second, third]);
      expect(await ids('sort=created_at&direction=desc')).toEqual([third, second, first]);
      expect(await ids('sort=updated_at')).toEqual([second, third, first]);
      expect(await ids('sort=name')).toEqual([third, first, second]);
      expect(await ids('sort=name&direction=asc')).toEqual([second, first, third]);
      expect(await ids('sort=match_type')).toEqual([first, third, second]);
      expect(await ids('sort=match_type&direction=asc')).toEqual([second, third, first]);
      expect(await ids('sort=name&direction=asc&per_page=1&page=2&_unknown=1')).toEqual([first]);
      await service.database.query('UPDATE segments SET created_at = now() WHERE workspace_id = $1', [api.workspaceId]);
      expect(await ids('')).toEqual([third, second, first]);
      expect(await ids('direction=asc')).toEqual([first, second, third]);
    });

    it.each([
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['page=', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['per_page=1.5', 'per_page'],
      ['sort=contacts_count', 'sort'],
      ['sort=', 'sort'],
      ['direction=up', 'direction'],
      ['match_type=some', 'match_type'],
      ['match_type=', 'match_type'],
      ['search=x&search=y', 'search'],
      ['search=%00', 'search'],
    ])('returns 422 for %s', async (query, field) => {
      expect((await api.get(`/segments?${query}`)).body).toEqual(validationError(field));
    });
  });
});
