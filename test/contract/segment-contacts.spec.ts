import { CONTACT_STATUSES, LIFECYCLE_STAGES } from '../../src/contacts/index.js';
import type { ApiClient } from '../support/api-client.js';
import { UNKNOWN_ID, validationError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

const SORTS = [
  'created_at',
  'updated_at',
  'first_name',
  'last_name',
  'email',
  'linkedin_url',
  'job_title',
  'status',
  'lifecycle_stage',
];
const ALL_CONTACTS = [{ field: 'email', operator: 'is_not_empty' }];

describe('GET /segments/{id}/contacts', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  /** The local parts of the addresses of the contacts that a request returns. */
  const found = async (path: string): Promise<string> => {
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}sort=email&direction=asc`);
    expect([path, status]).toEqual([path, 200]);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ email }: { email: string }) => email.split('@')[0]).join(' ');
  };
  const run = <Row extends object>(text: string, ...values: unknown[]) =>
    service.database.query<Row>(text, [api.workspaceId, ...values]);

  it('returns contacts as GET /contacts does, newest first, in pages of 15', async () => {
    const [list, tag] = [await given.group('/lists'), await given.group('/tags', { color: '#aabbcc' })];
    const ada = await given.contact({
      ...{ first_name: 'Ada', last_name: 'Lovelace', lists: [list.id], tags: [tag.id], custom_fields: { size: 7 } },
    });
    const untagged = await given.contact({ first_name: 'Ada' });
    const bob = await given.contact({ first_name: 'Bob' });
    const segment = await given.segment([
      { field: 'first_name', operator: 'equals', value: 'Ada' },
      { field: 'tag_id', operator: 'is_not_empty', value: null },
    ]);
    const path = `/segments/${segment.id}/contacts`;
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [(await api.get(`/contacts/${ada.id}`)).data],
      links: { first: expect.any(String), last: expect.any(String), prev: null, next: null },
      meta: { current_page: 1, last_page: 1, per_page: 15, total: 1, count: 1 },
    });
    expect(body.links.first).toBe(`http://outreach.test/v1${path}?page=1`);
    await given.contacts(20);
    const all = await given.segment(ALL_CONTACTS);
    const first = await api.get(`/segments/${all.id}/contacts`);
    expect(first.body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 15, total: 23, count: 15 });
    const last = await api.get(`/segments/${all.id}/contacts?page=2&status=active`);
    expect(last.data.map(({ id }: { id: number }) => id).slice(-3)).toEqual([bob.id, untagged.id, ada.id]);
    expect(last.body.links.prev).toBe(`http://outreach.test/v1/segments/${all.id}/contacts?status=active&page=1`);
  });

  it('returns no contacts after the last page, or if none matches', async () => {
    await given.contacts(3);
    const all = await given.segment(ALL_CONTACTS);
    const none = await given.segment([{ field: 'phone', operator: 'equals', value: '1' }]);
    for (const query of ['', '&has_email=1', '&search=name']) {
      const past = await api.get(`/segments/${all.id}/contacts?page=9007199254740991&per_page=100${query}`);
      expect([past.status, past.data, past.body.meta.total, past.body.meta.count]).toEqual([200, [], 3, 0]);
      expect(past.body.links).toMatchObject({ next: null, prev: expect.stringContaining('page=1') });
      const { body } = await api.get(`/segments/${none.id}/contacts?page=1${query}`);
      expect(body).toMatchObject({ data: [], meta: { current_page: 1, last_page: 1, total: 0, count: 0 } });
    }
  });

  it('filters by every documented parameter', async () => {
    const [list, tag, company] = [
      await given.group('/lists'),
      await given.group('/tags'),
      await given.group('/companies'),
    ];
    await given.contact({ email: 'a@x.example', lists: [list.id], linkedin_url: 'https://linkedin.com/in/a' });
    await given.contact({ email: 'b@x.example', tags: [tag.id], company: 'Free' });
    await given.contact({ email: 'c@x.example', company_id: company.id, lifecycle_stage: 'customer', tags: [tag.id] });
    await given.contact({ email: 'd@x.example', company_id: company.id, company: 'Free', lists: [list.id] });
    await run(`UPDATE contacts SET linkedin_url = '', company = '' WHERE workspace_id = $1 AND email = 'a@x.example'`);
    await run(
      `UPDATE contacts SET linkedin_url = 'https://linkedin.com/in/b' WHERE workspace_id = $1 AND email = 'b@x.example'`,
    );
    for (const [status, email] of [
      ['unsubscribed', 'b'],
      ['bounced', 'c'],
      ['complained', 'd'],
    ]) {
      await run(
        `UPDATE contacts SET status = $2 WHERE workspace_id = $1 AND email = $3 || '@x.example'`,
        status,
        email,
      );
    }
    await given.contact({ email: 'outside@y.example', lists: [list.id], tags: [tag.id], company_id: company.id });
    const segment = await given.segment([{ field: 'email', operator: 'ends_with', value: '@x.example' }]);
    for (const [query, expected] of [
      ['', 'a b c d'],
      ['status=active', 'a'],
      ['status=unsubscribed', 'b'],
      ['status=bounced', 'c'],
      ['status=complained', 'd'],
      ['lifecycle_stage=customer', 'c'],
      ['lifecycle_stage=subscriber', 'a b d'],
      ['lifecycle_stage=other', ''],
      [`list_id=${list.id}`, 'a d'],
      [`tag_id=${tag.id}`, 'b c'],
      [`list_id=${list.id}&tag_id=${tag.id}`, ''],
      [`company_id=${company.id}`, 'c d'],
      [`company_id=${company.id}&list_id=${list.id}`, 'd'],
      ['has_email=1', 'a b c d'],
      ['has_email=0', ''],
      ['has_linkedin=1', 'b'],
      ['has_linkedin=0', 'a c d'],
      ['has_company=1', 'b c d'],
      ['has_company=0', 'a'],
      [`has_company=1&has_linkedin=0&has_email=1&status=bounced&tag_id=${tag.id}&search=c`, 'c'],
      ['_unknown=1', 'a b c d'],
    ]) {
      expect([query, await found(`/segments/${segment.id}/contacts?${query}`)]).toEqual([query, expected]);
    }
  });

  it.each([
    ['status=spam', 'status'],
    ['status=', 'status'],
    ['status=active&status=bounced', 'status'],
    ['lifecycle_stage=x', 'lifecycle_stage'],
    ['company_id=x', 'company_id'],
    ['company_id=0', 'company_id'],
    ['company_id=', 'company_id'],
    [`company_id=${UNKNOWN_ID}`, 'company_id'],
    ['list_id=1.5', 'list_id'],
    [`list_id=${UNKNOWN_ID}`, 'list_id'],
    ['tag_id=-1', 'tag_id'],
    [`tag_id=${UNKNOWN_ID}`, 'tag_id'],
    ['tag_id=9007199254740993', 'tag_id'],
    ['has_email=true', 'has_email'],
    ['has_email=', 'has_email'],
    ['has_linkedin=2', 'has_linkedin'],
    ['has_company=yes', 'has_company'],
    ['has_company=1&has_company=0', 'has_company'],
    ['sort=phone', 'sort'],
    ['sort=id', 'sort'],
    ['direction=DESC', 'direction'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
  ])('returns 422 for %s', async (query, field) => {
    const { id } = await given.segment(ALL_CONTACTS);
    expect((await api.get(`/segments/${id}/contacts?${query}`)).body).toEqual(validationError(field));
  });

  it('searches email, names, job title and the linked company for every term', async () => {
    const acme = await given.group('/companies', { name: 'Acme 100%_ Ümlaut' });
    await given.contact({
      email: 'ada@one.example',
      first_name: 'Ada',
      last_name: 'Lovelace',
      job_title: 'Chief Poet',
    });
    await given.contact({ email: 'bob@two.example', company_id: acme.id, job_title: '50%' });
    await given.contact({ email: 'cy@two.example', company: 'Acme', phone: '+331234567' });
    const { id } = await given.segment(ALL_CONTACTS);
    const other = await service.client();
    await other.post('/companies', { name: 'Acme' });
    for (const [search, expected] of [
      ['ADA@ONE', 'ada'],
      ['ada', 'ada'],
      ['love', 'ada'],
      ['poet', 'ada'],
      ['acme', 'bob'],
      ['üMLAUT', 'bob'],
      ['m', 'ada bob cy'],
      ['ac', 'ada bob'],
      ['lace chief ada .example', 'ada'],
      ['two acme', 'bob'],
      ['ada acme', ''],
      ['1234567', ''],
      ['331', ''],
      ['%', 'bob'],
      ['0%_', 'bob'],
      ['_', 'bob'],
      ['a_a', ''],
      ['\\', ''],
      ['a d a l o v nowhere', 'ada'],
      ['a d a l o nowhere', ''],
      ['  ', 'ada bob cy'],
      ['subscriber', ''],
    ]) {
      const path = `/segments/${id}/contacts?search=${encodeURIComponent(search as string)}`;
      expect([search, await found(path)]).toEqual([search, expected]);
    }
    await api.put(`/companies/${acme.id}`, { name: 'Umbrella' });
    expect(await found(`/segments/${id}/contacts?search=acme`)).toBe('');
    expect(await found(`/segments/${id}/contacts?search=umbrella+bob`)).toBe('bob');
  });

  it('searches the names of more than 1,000 companies', async () => {
    await run(`INSERT INTO companies (workspace_id, name) SELECT $1, 'Corp ' || n FROM generate_series(1, 1100) n`);
    await run(
      `INSERT INTO contacts (workspace_id, email, company_id)
       SELECT $1, name || '@x.example', id FROM (SELECT replace(lower(name), ' ', '') AS name, id FROM companies
       WHERE workspace_id = $1 AND name IN ('Corp 1', 'Corp 1100')) company`,
    );
    await given.contact({ email: 'none@x.example' });
    const { id } = await given.segment([{ field: 'company_id', operator: 'is_not_empty' }]);
    expect(await found(`/segments/${id}/contacts?search=orp`)).toBe('corp1100 corp1');
    expect(await found(`/segments/${id}/contacts?search=orp+1100`)).toBe('corp1100');
  });

  describe('the order', () => {
    /** The IDs on all pages. */
    const pages = async (path: string, size: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let page = 1; ; page++) {
        const { body } = await api.get(`${path}&per_page=${size}&page=${page}`);
        ids.push(...body.data.map((contact: { id: number }) => contact.id));
        expect(body.meta.count).toBe(body.data.length);
        if (body.links.next === null) {
          expect(body.meta.total).toBe(ids.length);
          return ids;
        }
      }
    };
    const expectedOrder = async (sort: string, direction: string, where: string): Promise<number[]> => {
      const values: readonly string[] | undefined = { status: CONTACT_STATUSES, lifecycle_stage: LIFECYCLE_STAGES }[
        sort
      ];
      const ofText = sort.endsWith('_at') ? sort : `lower(${sort}) COLLATE "C"`;
      const value = values ? `array_position('{${values.join()}}'::text[], ${sort})` : ofText;
      const rows = await run<{ id: number }>(
        `SELECT id::float FROM contacts WHERE workspace_id = $1 AND ${where}
         ORDER BY ${value} ${direction} NULLS LAST, id ${direction}`,
      );
      return rows.map(({ id }) => id);
    };
    /** Inserts contacts with equal values, and with NULL in every nullable column. */
    const mixed = (count: number) =>
      run(
        `INSERT INTO contacts (workspace_id, email, first_name, last_name, job_title, linkedin_url, status,
           lifecycle_stage, created_at, updated_at)
         SELECT $1, 'p' || (n * 7919 % 10007) || '@x.example', (ARRAY['ann', 'Bea', '', NULL])[1 + n % 4],
           (ARRAY['x', NULL, 'y'])[1 + n % 3], (ARRAY[NULL, 'ceo', 'cto', 'CEO', NULL])[1 + n % 5],
           (ARRAY['https://linkedin.com/in/a', NULL])[1 + n % 2],
           (ARRAY['active', 'bounced', 'complained', 'unsubscribed'])[1 + n % 4],
           (ARRAY['lead', 'customer', 'subscriber'])[1 + n % 3],
           timestamptz '2026-01-01Z' + (n / 5) * interval '1 minute', timestamptz '2026-02-01Z' - (n / 3) * interval '1 hour'
         FROM generate_series(1, $2::int) n`,
        count,
      );

    it.each([
      ['all contacts', ALL_CONTACTS, 'TRUE'],
      [
        'contacts with a tag or a name',
        [
          { field: 'tag_id', operator: 'is_not_empty' },
          { field: 'last_name', operator: 'equals', value: 'x', connector: 'or' },
        ],
        `(last_name = 'x' OR id IN (SELECT contact_id FROM tag_members))`,
      ],
      ['contacts without a job title', [{ field: 'job_title', operator: 'is_empty' }], `coalesce(job_title, '') = ''`],
    ])(
      'of %s has NULL last in both directions, and pages neither repeat nor miss a contact',
      async (_, conditions, where) => {
        await mixed(60);
        const tag = await given.group('/tags');
        await run(
          `INSERT INTO tag_members (workspace_id, tag_id, contact_id, contact_created_at)
         SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1 AND id % 3 = 0`,
          tag.id,
        );
        const { id } = await given.segment(conditions);
        for (const sort of SORTS) {
          for (const direction of ['asc', 'desc']) {
            const path = `/segments/${id}/contacts?sort=${sort}&direction=${direction}`;
            const name = `${sort} ${direction}`;
            expect([name, await pages(path, 13)]).toEqual([name, await expectedOrder(sort, direction, where)]);
            const filtered = await expectedOrder(sort, direction, `${where} AND lifecycle_stage = 'lead'`);
            expect([name, await pages(`${path}&lifecycle_stage=lead`, 13)]).toEqual([name, filtered]);
          }
        }
      },
    );

    it('is correct if the contacts of the segment are far apart in the list', async () => {
      await mixed(3000);
      await run(
        `UPDATE contacts SET phone = '1' WHERE workspace_id = $1
           AND id IN (SELECT id FROM contacts WHERE workspace_id = $1 ORDER BY created_at, id OFFSET 920 LIMIT 400)`,
      );
      const { id } = await given.segment([{ field: 'phone', operator: 'equals', value: '1' }]);
      for (const sort of ['created_at', 'updated_at', 'email', 'first_name']) {
        for (const direction of ['asc', 'desc']) {
          const path = `/segments/${id}/contacts?sort=${sort}&direction=${direction}`;
          const expected = await expectedOrder(sort, direction, `phone = '1'`);
          expect([sort, direction, await pages(path, 40)]).toEqual([sort, direction, expected]);
          const leads = await expectedOrder(sort, direction, `phone = '1' AND lifecycle_stage = 'lead'`);
          expect([sort, direction, await pages(`${path}&lifecycle_stage=lead`, 40)]).toEqual([sort, direction, leads]);
        }
      }
    });

    it('is that of creation by default', async () => {
      await mixed(30);
      const { id } = await given.segment(ALL_CONTACTS);
      expect(await pages(`/segments/${id}/contacts?`, 4)).toEqual(await expectedOrder('created_at', 'desc', 'TRUE'));
      expect(await pages(`/segments/${id}/contacts?direction=asc`, 4)).toEqual(
        await expectedOrder('created_at', 'asc', 'TRUE'),
      );
    });
  });

  it('agrees with the preview, which returns the count and the first five contacts', async () => {
    const { id } = await given.segment([{ field: 'first_name', operator: 'equals', value: 'Ada' }]);
    const preview = () => api.get(`/segments/${id}/preview`);
    expect(await preview()).toMatchObject({ status: 200, body: { data: { count: 0, sample: [] } } });
    const tag = await given.group('/tags');
    for (let n = 0; n < 7; n++) await given.contact({ first_name: 'Ada', tags: [tag.id] });
    await given.contact({ first_name: 'Bob' });
    const { body } = await preview();
    const contacts = (await api.get(`/segments/${id}/contacts`)).data;
    expect(contacts).toHaveLength(7);
    expect(body).toEqual({ data: { count: 7, sample: contacts.slice(0, 5) } });
    expect((await api.get(`/segments/${id}/preview?_page=x`)).data).toEqual(body.data);
  });

  describe('enroll-from-lists with segments', () => {
    const enroll = async (body: object, campaign?: { id: number }) => {
      const { id } = campaign ?? (await given.campaign());
      const response = await api.post(`/campaigns/${id}/contacts/enroll-from-lists`, body);
      return { ...response, id };
    };
    const enrolled = async (id: number): Promise<number[]> => {
      const rows = await run<{ id: number }>(
        `SELECT contact_id::float AS id FROM enrollments WHERE workspace_id = $1 AND campaign_id = $2 ORDER BY 1`,
        id,
      );
      return rows.map(({ id: contact }) => contact);
    };

    it('enrolls each active contact of the lists and segments once', async () => {
      const list = await given.group('/lists');
      const ids: number[] = [];
      for (const [first_name, lists] of [
        ['Ada', [list.id]],
        ['Bob', [list.id]],
        ['Cy', []],
        ['Dot', []],
      ]) {
        ids.push((await given.contact({ first_name, lists })).id);
      }
      const [ada, bob, cy, dot] = ids;
      const isNot = (value: string) => given.segment([{ field: 'first_name', operator: 'not_equals', value }]);
      const [notAda, notDot] = [await isNot('Ada'), await isNot('Dot')];
      const none = await given.segment([{ field: 'phone', operator: 'is_not_empty' }]);
      await api.post(`/contacts/${cy}/unsubscribe`);
      const first = await enroll({ segment_ids: [notAda.id, notAda.id] });
      expect([first.status, first.body]).toEqual([
        201,
        { data: { message: expect.any(String), enrolled: 2, skipped: 1 } },
      ]);
      expect(await enrolled(first.id)).toEqual([bob, dot]);
      const again = await enroll({ list_ids: [list.id], segment_ids: [notAda.id, notDot.id, none.id] }, first);
      expect(again.data).toMatchObject({ enrolled: 1, skipped: 3 });
      expect(await enrolled(first.id)).toEqual([ada, bob, dot]);
      expect((await enroll({ segment_ids: [none.id] })).data).toMatchObject({ enrolled: 0, skipped: 0 });
    });

    it('ignores segments that do not exist in the workspace', async () => {
      await given.contacts(3);
      const other = await service.client();
      const theirs = await new Given(other, service.database).segment(ALL_CONTACTS);
      const ignored = await enroll({ segment_ids: [theirs.id, UNKNOWN_ID] });
      expect([ignored.status, ignored.data]).toEqual([201, expect.objectContaining({ enrolled: 0, skipped: 0 })]);
      const own = await given.segment(ALL_CONTACTS);
      expect((await enroll({ segment_ids: [theirs.id, own.id] })).data).toMatchObject({ enrolled: 3, skipped: 0 });
      expect((await enroll({ segment_ids: [], list_ids: [] })).body).toEqual(validationError('list_ids'));
      expect((await enroll({ segment_ids: ['x'] })).body).toEqual(validationError('segment_ids.0'));
      expect((await enroll({ segment_ids: 7 })).body).toEqual(validationError('segment_ids'));
    });

    it('uses the current contacts, also if the tag of a condition was deleted', async () => {
      const ids = await given.contacts(2);
      const tag = await given.group('/tags');
      const tagged = await given.segment([{ field: 'tag_id', operator: 'equals', value: tag.id }]);
      const others = await given.segment([{ field: 'tag_id', operator: 'not_equals', value: tag.id }]);
      await api.post(`/tags/${tag.id}/contacts`, { contact_ids: ids.slice(0, 1) });
      expect(await enrolled((await enroll({ segment_ids: [tagged.id] })).id)).toEqual(ids.slice(0, 1));
      await api.delete(`/tags/${tag.id}`);
      expect(await enrolled((await enroll({ segment_ids: [tagged.id] })).id)).toEqual([]);
      expect(await enrolled((await enroll({ segment_ids: [others.id] })).id)).toEqual(ids);
    });

    it('enrolls thousands of contacts in chunks', async () => {
      const ids = await given.contacts(6000);
      const list = await given.group('/lists');
      await run(
        `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
         SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1 AND id % 2 = 0`,
        list.id,
      );
      await run(`UPDATE contacts SET status = 'bounced' WHERE workspace_id = $1 AND id % 100 = 0`);
      const many = await given.segment([{ field: 'first_name', operator: 'starts_with', value: 'Name' }]);
      const some = await given.segment(
        [
          { field: 'list_id', operator: 'equals', value: list.id },
          { field: 'first_name', operator: 'ends_with', value: '7' },
        ],
        { match_type: 'any' },
      );
      expect([many.contacts_count, some.contacts_count]).toEqual([6000, expect.any(Number)]);
      const inactive = ids.filter((id) => id % 100 === 0).length;
      const few = await enroll({ segment_ids: [some.id] });
      expect(few.data).toMatchObject({ enrolled: some.contacts_count - inactive, skipped: inactive });
      const rest = await enroll({ list_ids: [list.id], segment_ids: [many.id, some.id] }, few);
      expect(rest.data).toMatchObject({
        enrolled: 6000 - some.contacts_count,
        skipped: some.contacts_count,
      });
      expect(await enrolled(few.id)).toEqual(ids.filter((id) => id % 100 !== 0).sort((one, two) => one - two));
    });
  });
});
