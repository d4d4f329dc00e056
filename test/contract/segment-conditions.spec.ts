import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

const isFirst = (value: string, connector?: string) => ({ field: 'first_name', operator: 'equals', value, connector });
const has = (field: string, value: unknown) => ({ field, operator: 'equals', value });
const hasNot = (field: string, value: unknown) => ({ field, operator: 'not_equals', value });

describe('the conditions of a segment', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  /** The local parts of the addresses of the contacts of a segment. */
  const found = async (conditions: readonly object[], fields: object = {}): Promise<string> => {
    const { id, contacts_count } = await given.segment(conditions, fields);
    const { data, body } = await api.get(`/segments/${id}/contacts?sort=email&direction=asc&per_page=100`);
    expect([body.meta.total, data.length]).toEqual([contacts_count, contacts_count]);
    return data.map(({ email }: { email: string }) => email.split('@')[0]).join(' ');
  };

  it('name in their errors the fields and operators that would have been right', async () => {
    const errorsOf = async (...conditions: object[]) => {
      const { body } = await api.post('/segments', { name: 'Wrong', match_type: 'all', conditions });
      return body.errors;
    };
    const custom = { field: 'custom_fields.emploees', operator: 'equals', value: '1' };
    expect(await errorsOf(custom)).toEqual({
      'conditions.0.field': ['custom_fields.emploees is not a known field. The workspace has no custom fields.'],
    });
    await api.post('/custom-fields', { key: 'employees', type: 'number' });
    const status = { field: 'status', operator: 'contains', value: 'active' };
    expect(await errorsOf({ ...custom, field: 'firstname' }, custom, status)).toEqual({
      'conditions.0.field': [
        expect.stringMatching(
          /^firstname is not a known field\. Did you mean first_name\? The fields are email, .*list_id and custom_fields\.<key>\.$/,
        ),
      ],
      'conditions.1.field': [
        'custom_fields.emploees is not a known field. Did you mean custom_fields.employees? Custom fields are custom_fields.employees.',
      ],
      'conditions.2.operator': [
        'The operator contains cannot be used with the field status. Its operators are equals, not_equals, is_empty, is_not_empty.',
      ],
    });
  });

  it('are joined by and before or', async () => {
    for (const name of ['a', 'ab', 'b', 'bc', 'c']) {
      const [first_name, last_name] = [name.slice(0, 1), name.slice(1)];
      await given.contact({ email: `${name}@example.com`, first_name, last_name });
    }
    const last = (value: string, connector?: string) => ({ ...isFirst(value, connector), field: 'last_name' });
    const any = { match_type: 'any' };
    expect(await found([isFirst('a'), last('b')])).toBe('ab');
    expect(await found([isFirst('a'), last('b')], any)).toBe('a ab');
    expect(await found([isFirst('a'), isFirst('b'), last('c', 'and')], any)).toBe('a ab bc');
    expect(await found([isFirst('b'), last('c', 'and'), isFirst('a')], any)).toBe('a ab bc');
    expect(await found([isFirst('a'), last('b'), isFirst('b', 'or'), last('c')])).toBe('ab bc');
    expect(await found([isFirst('a'), isFirst('b', 'or'), last('c', 'and')])).toBe('a ab bc');
    expect(await found([isFirst('a', 'or'), last('b')])).toBe('ab');
    expect(await found([isFirst('a', 'and'), isFirst('c')], any)).toBe('a ab c');
    expect(await found([isFirst('x'), isFirst('a', 'or'), isFirst('b', 'or'), isFirst('c', 'or')])).toBe('a ab b bc c');
    expect(await found([isFirst('a', 'or'), last('b', 'or'), last('c', 'or')], any)).toBe('a ab bc');
  });

  it('test tags, lists, companies and fields together, also negated', async () => {
    const [list, tag, company] = [
      await given.group('/lists'),
      await given.group('/tags'),
      await given.group('/companies'),
    ];
    await given.contact({
      email: 'all@x.example',
      lists: [list.id],
      tags: [tag.id],
      company_id: company.id,
      phone: '1',
    });
    await given.contact({ email: 'list@x.example', lists: [list.id] });
    await given.contact({ email: 'tag@x.example', tags: [tag.id], phone: '1' });
    await given.contact({ email: 'none@x.example', company: 'Free text' });
    const any = { match_type: 'any' };
    expect(await found([has('list_id', list.id), has('tag_id', tag.id)])).toBe('all');
    expect(await found([has('list_id', list.id), has('tag_id', tag.id)], any)).toBe('all list tag');
    expect(await found([hasNot('list_id', list.id), hasNot('tag_id', tag.id)])).toBe('none');
    expect(await found([hasNot('list_id', list.id), hasNot('tag_id', tag.id)], any)).toBe('list none tag');
    expect(await found([hasNot('company_id', company.id)])).toBe('list none tag');
    expect(await found([has('company_id', company.id), { field: 'phone', operator: 'is_empty' }], any)).toBe(
      'all list none',
    );
    for (const [field, filled, empty] of [
      ['list_id', 'all list', 'none tag'],
      ['tag_id', 'all tag', 'list none'],
      ['company_id', 'all', 'list none tag'],
      ['company', 'none', 'all list tag'],
      ['phone', 'all tag', 'list none'],
    ] as const) {
      expect([field, await found([{ field, operator: 'is_not_empty' }])]).toEqual([field, filled]);
      expect([field, await found([{ field, operator: 'is_empty' }])]).toEqual([field, empty]);
    }
    const isTagged = has('tag_id', tag.id);
    expect(
      await found([
        has('list_id', list.id),
        { ...isTagged, connector: 'or' },
        { ...has('phone', '1'), connector: 'and' },
      ]),
    ).toBe('all list tag');
    expect(
      await found([
        { ...hasNot('phone', '1') },
        { ...isTagged, connector: 'or' },
        { ...hasNot('list_id', list.id), connector: 'and' },
      ]),
    ).toBe('list none tag');
  });

  it('compare complete texts exactly, and parts of texts without case', async () => {
    await given.contact({
      email: 'ada@x.example',
      first_name: 'Ada',
      last_name: 'King Love',
      job_title: "50%_off's \\o/",
    });
    await given.contact({ email: 'bob@x.example', first_name: 'ADA', job_title: '🎈 Éclair' });
    await given.contact({ email: 'cy@x.example' });
    const op = (field: string, operator: string, value: string) => found([{ field, operator, value }]);
    expect(await op('first_name', 'equals', 'Ada')).toBe('ada');
    expect(await op('first_name', 'not_equals', 'Ada')).toBe('bob cy');
    expect(await op('email', 'equals', 'ADA@x.Example')).toBe('ada');
    expect(await op('email', 'not_equals', 'ADA@x.Example')).toBe('bob cy');
    expect(await op('email', 'starts_with', 'B')).toBe('bob');
    expect(await op('email', 'ends_with', 'X.EXAMPLE')).toBe('ada bob cy');
    expect(await op('first_name', 'contains', 'dA')).toBe('ada bob');
    expect(await op('first_name', 'not_contains', 'dA')).toBe('cy');
    expect(await op('full_name', 'equals', 'Ada King Love')).toBe('ada');
    expect(await op('full_name', 'equals', 'ADA')).toBe('bob');
    expect(await op('full_name', 'contains', 'a k')).toBe('ada');
    expect(await op('full_name', 'ends_with', 'g LOVE')).toBe('ada');
    expect(await op('job_title', 'contains', '%_O')).toBe('ada');
    expect(await op('job_title', 'contains', '%')).toBe('ada');
    expect(await op('job_title', 'contains', '0_')).toBe('');
    expect(await op('job_title', 'starts_with', "50%_OFF'S")).toBe('ada');
    expect(await op('job_title', 'ends_with', '\\o/')).toBe('ada');
    expect(await op('job_title', 'ends_with', ' éclair')).toBe('bob');
    expect(await op('job_title', 'starts_with', '🎈')).toBe('bob');
    expect(await op('job_title', 'not_contains', '🎈')).toBe('ada cy');
  });

  it('test custom fields', async () => {
    const values = [
      { team: 'A_"b"\\c', size: 9, vip: true, since: '2026-01-31' },
      { team: 'a%', size: 10.5, vip: false, since: '2026-02-01T00:00:00+01:00' },
      { size: -3, team: '' },
      {},
    ];
    for (const [index, custom_fields] of values.entries())
      await given.contact({ email: `${index}@x.example`, custom_fields });
    const op = (key: string, operator: string, value?: unknown) =>
      found([{ field: `custom_fields.${key}`, operator, value }]);
    expect(await op('team', 'equals', 'A_"b"\\c')).toBe('0');
    expect(await op('team', 'equals', 'a_"b"\\c')).toBe('');
    expect(await op('team', 'not_equals', 'a%')).toBe('0 2 3');
    expect(await op('team', 'contains', '_"B"')).toBe('0');
    expect(await op('team', 'ends_with', '\\C')).toBe('0');
    expect(await op('team', 'starts_with', 'A')).toBe('0 1');
    expect(await op('team', 'is_empty')).toBe('2 3');
    expect(await op('team', 'is_not_empty')).toBe('0 1');
    expect(await op('size', 'greater_than', '9')).toBe('1');
    expect(await op('size', 'less_than', 10.5)).toBe('0 2');
    expect(await op('size', 'equals', '1.05e1')).toBe('1');
    expect(await op('size', 'not_equals', 9)).toBe('1 2 3');
    expect(await op('size', 'is_empty')).toBe('3');
    expect(await op('vip', 'equals', true)).toBe('0');
    expect(await op('vip', 'equals', 'false')).toBe('1');
    expect(await op('vip', 'not_equals', 'false')).toBe('0 2 3');
    expect(await op('vip', 'is_empty')).toBe('2 3');
    expect(await op('since', 'equals', '2026-01-31')).toBe('0 1');
    expect(await op('since', 'greater_than', '2026-01-31')).toBe('');
    expect(await op('since', 'less_than', '2026-01-31T23:00:00.001Z')).toBe('0 1');
    expect(await op('since', 'equals', '2026-02-01T00:00:00+01:00')).toBe('1');
    expect(await op('since', 'not_equals', '2026-01-31')).toBe('2 3');
  });

  it('test dates as days in UTC', async () => {
    const edges: [string, string][] = [
      ['before', '2026-03-28T23:59:59.999Z'],
      ['first', '2026-03-29T00:00:00.000Z'],
      ['last', '2026-03-29T23:59:59.999Z'],
      ['next', '2026-03-30T00:00:00.000Z'],
    ];
    for (const [name, instant] of edges) {
      await service.database.query(
        `INSERT INTO contacts (workspace_id, email, created_at, subscribed_at, custom_fields)
         VALUES ($1, $2 || '@x.example', $3::timestamptz, NULL, '{}')`,
        [api.workspaceId, name, instant],
      );
      await given.contact({ email: `${name}.custom@y.example`, custom_fields: { due: instant } });
    }
    const isOld = { field: 'created_at', operator: 'less_than', value: '2026-04-15' };
    const created = (operator: string, value: string) => found([{ field: 'created_at', operator, value }, isOld]);
    const due = (operator: string, value: string) => found([{ field: 'custom_fields.due', operator, value }]);
    for (const [operator, value, expected] of [
      ['equals', '2026-03-29', ['first', 'last']],
      ['less_than', '2026-03-29', ['before']],
      ['greater_than', '2026-03-29', ['next']],
      ['equals', '2026-03-29T00:00:00Z', ['first']],
      ['equals', '2026-03-29T02:00:00.000+02:00', ['first']],
      ['greater_than', '2026-03-28T23:59:59.999Z', ['first', 'last', 'next']],
      ['less_than', '2026-03-29T23:59:59.999Z', ['before', 'first']],
    ] as const) {
      expect([operator, value, await created(operator, value)]).toEqual([operator, value, expected.join(' ')]);
      const customs = expected.map((name) => `${name}.custom`).join(' ');
      expect([operator, value, await due(operator, value)]).toEqual([operator, value, customs]);
    }
    expect(await created('not_equals', '2026-03-29')).toBe('before next');
    expect(await found([{ field: 'subscribed_at', operator: 'is_empty' }])).toBe('before first last next');
    expect(await found([{ field: 'unsubscribed_at', operator: 'is_not_empty' }])).toBe('');
  });
});
