import { Database, CounterCache } from '../../src/platform/database/index.js';
import { SegmentBudget } from '../../src/segments/segment-budget.js';
import type { ApiResponse, ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const tooExpensive = {
  error: 'HttpError',
  message: expect.stringContaining('segment too expensive'),
  errors: null,
  code: 422,
};
interface SegmentFixture {
  readonly client: ApiClient;
  readonly path: string;
  readonly made: Schema<'Segment'>;
  readonly known: Schema<'Segment'>;
  readonly campaign: Schema<'Campaign'>;
}
const isFirst = (value: string, connector?: string) => ({ field: 'first_name', operator: 'equals', value, connector });
const has = (field: string, value: unknown) => ({ field, operator: 'equals', value });
const hasNot = (field: string, value: unknown) => ({ field, operator: 'not_equals', value });

describe('the count of a segment', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const ok = async (response: Promise<ApiResponse>): Promise<any> => {
    const { status, body, data } = await response;
    expect([status < 300, body]).toEqual([true, body]);
    return data ?? body;
  };
  /** The stored count of a segment. */
  const storedCount = (id: number) =>
    service.database.query<{ contacts_count: number; counted_at: Date }>(
      'SELECT * FROM segment_counts WHERE segment_id = $1',
      [id],
    );

  /** Waits until a segment of the list was counted by a request: a list also shows older counts if counting is slow. */
  const listedCount = (id: number): Promise<number> =>
    eventually(async () => {
      const asked = Date.now();
      const { data } = await api.get('/segments');
      const { contacts_counted_at: at, contacts_count: count } = data.find((one: Schema<'Segment'>) => one.id === id);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(asked);
      return count;
    });

  describe.each([
    ['GET /segments/{id}', async (id: number) => (await api.get(`/segments/${id}`)).data.contacts_count],
    ['GET /segments', listedCount],
    ['preview', async (id: number) => (await api.get(`/segments/${id}/preview`)).data.count],
    ['contacts', async (id: number) => (await api.get(`/segments/${id}/contacts`)).body.meta.total],
  ])('in %s is current after', (_, count) => {
    it('changes of contacts', async () => {
      const { id } = await given.segment([isFirst('Ada'), { field: 'status', operator: 'equals', value: 'active' }]);
      expect(await count(id)).toBe(0);
      const ada = await given.contact({ first_name: 'Ada' });
      expect(await count(id)).toBe(1);
      await ok(api.put(`/contacts/${ada.id}`, { first_name: 'Bob' }));
      expect(await count(id)).toBe(0);
      await ok(api.put(`/contacts/${ada.id}`, { first_name: 'Ada' }));
      expect(await count(id)).toBe(1);
      await ok(api.post(`/contacts/${ada.id}/unsubscribe`));
      expect(await count(id)).toBe(0);
      const form = new FormData();
      form.set('file', new Blob(['Mail,First\nx1@example.com,Ada\nx2@example.com,Ada\nx3@example.com,Bob\n']), 'a.csv');
      form.set('mapping[email]', 'Mail');
      form.set('mapping[first_name]', 'First');
      await ok(api.post('/contacts/import', form));
      expect(await count(id)).toBe(2);
      const [one] = (await api.get(`/segments/${id}/contacts`)).data;
      await ok(api.delete(`/contacts/${one.id}`));
      expect(await count(id)).toBe(1);
    });

    it('changes of tags, lists and companies', async () => {
      const [ada, bob] = await given.contacts(2);
      for (const [path, field] of [
        ['/tags', 'tag_id'],
        ['/lists', 'list_id'],
      ] as const) {
        const group = await given.group(path);
        const inside = await given.segment([has(field, group.id)]);
        const outside = await given.segment([hasNot(field, group.id)]);
        const anywhere = await given.segment([{ field, operator: 'is_not_empty' }]);
        const nowhere = await given.segment([{ field, operator: 'is_empty' }]);
        const counts = () => Promise.all([inside, outside, anywhere, nowhere].map(({ id }) => count(id)));
        expect(await counts()).toEqual([0, 2, 0, 2]);
        await ok(api.post(`${path}/${group.id}/contacts`, { contact_ids: [ada, bob] }));
        expect(await counts()).toEqual([2, 0, 2, 0]);
        await ok(api.delete(`${path}/${group.id}/contacts`, { contact_ids: [ada] }));
        expect(await counts()).toEqual([1, 1, 1, 1]);
        await ok(api.put(`/contacts/${ada}`, { [path.slice(1)]: [group.id] }));
        expect(await counts()).toEqual([2, 0, 2, 0]);
        await ok(api.delete(`${path}/${group.id}`));
        expect(await counts()).toEqual([0, 2, 0, 2]);
      }
      const company = await given.group('/companies');
      const inside = await given.segment([has('company_id', company.id)]);
      const outside = await given.segment([hasNot('company_id', company.id)]);
      const counts = () => Promise.all([inside, outside].map(({ id }) => count(id)));
      await ok(api.put(`/contacts/${ada}`, { company_id: company.id }));
      expect(await counts()).toEqual([1, 1]);
      await ok(api.delete(`/companies/${company.id}`));
      expect(await counts()).toEqual([0, 2]);
    });

    it('changes of custom fields', async () => {
      const field = await given.group('/custom-fields', { key: 'size', type: 'number' });
      await given.group('/custom-fields', { key: 'weight', type: 'number' });
      const at = (operator: string, value?: string) =>
        given.segment([{ field: 'custom_fields.size', operator, value }]);
      const first = await at('greater_than', '5');
      const segments = [first, await at('not_equals', '7'), await at('is_not_empty'), await at('is_empty')];
      const counts = () => Promise.all(segments.map(({ id }) => count(id)));
      const ada = await given.contact();
      expect(await counts()).toEqual([0, 1, 0, 1]);
      await ok(api.put(`/contacts/${ada.id}`, { custom_fields: { size: 7 } }));
      expect(await counts()).toEqual([1, 0, 1, 0]);
      const form = new FormData();
      form.set('file', new Blob(['Mail,Size,Weight\nx1@example.com,3,1\nx2@example.com,8,2\n']), 'a.csv');
      for (const [name, column] of [
        ['email', 'Mail'],
        ['custom_fields.size', 'Size'],
        ['custom_fields.weight', 'Weight'],
      ]) {
        form.set(`mapping[${name}]`, column);
      }
      await ok(api.post('/contacts/import', form));
      expect(await counts()).toEqual([2, 2, 3, 0]);
      const heavy = await given.segment([{ field: 'custom_fields.weight', operator: 'greater_than', value: 1 }]);
      expect(await count(heavy.id)).toBe(1);
      await ok(api.put(`/contacts/${ada.id}`, { custom_fields: { size: null } }));
      expect(await counts()).toEqual([1, 3, 2, 1]);
      await ok(api.delete(`/custom-fields/${field.id}`));
      expect(await counts()).toEqual([0, 3, 0, 3]);
      // A new field with the same key has another type, so that the stored conditions are invalid.
      await ok(api.put(`/contacts/${ada.id}`, { custom_fields: { size: 'large' } }));
      expect(await counts()).toEqual([0, 3, 1, 2]);
      expect((await api.get(`/segments/${first.id}`)).data.conditions).toEqual(first.conditions);
      expect((await api.put(`/segments/${first.id}`, { name: 'Still changed' })).status).toBe(200);
      expect((await api.put(`/segments/${first.id}`, { conditions: first.conditions })).status).toBe(422);
    });
  });

  describe('that is stored', () => {
    const forge = (id: number, count: number) =>
      service.database.query('UPDATE segment_counts SET contacts_count = $2 WHERE segment_id = $1', [id, count]);

    it('is used until something changes in the workspace', async () => {
      await given.contacts(3);
      const segment = await given.segment([isFirst('Name2')]);
      const other = new Given(await service.client(), service.database);
      const before = await storedCount(segment.id);
      await other.contact({ first_name: 'Name2' });
      await given.segment([isFirst('Name1')]);
      await given.group('/lists');
      await new CounterCache(service.app.get(Database, { strict: false })).merge();
      await forge(segment.id, 42);
      expect((await api.get(`/segments/${segment.id}`)).data.contacts_count).toBe(42);
      expect((await api.get('/segments')).data[1].contacts_count).toBe(42);
      expect((await api.get(`/segments/${segment.id}/preview`)).data.count).toBe(42);
      expect((await api.get(`/segments/${segment.id}/contacts`)).body.meta.total).toBe(42);
      expect((await api.put(`/segments/${segment.id}`, { name: 'B' })).data.contacts_count).toBe(42);
      expect(await storedCount(segment.id)).toEqual([{ ...before[0], contacts_count: 42 }]);
      await given.contact({ first_name: 'Name2' });
      expect((await api.get(`/segments/${segment.id}`)).data.contacts_count).toBe(2);
      await forge(segment.id, 42);
      expect((await api.put(`/segments/${segment.id}`, { conditions: [isFirst('Name3')] })).data.contacts_count).toBe(
        1,
      );
    });

    it('has the current time as contacts_counted_at while nothing has changed', async () => {
      const { id } = await given.segment([isFirst('Ada')]);
      const [before] = await storedCount(id);
      await service.database.query(`UPDATE segment_counts SET counted_at = '2026-01-01Z' WHERE segment_id = $1`, [id]);
      const { data } = await api.get(`/segments/${id}`);
      expect(Date.parse(data.contacts_counted_at)).toBeGreaterThanOrEqual(Number(before?.counted_at));
    });

    it('is deleted with the segment', async () => {
      const { id } = await given.segment([isFirst('Ada')]);
      await ok(api.delete(`/segments/${id}`));
      expect(await storedCount(id)).toEqual([]);
    });
  });

  describe('with concurrent transactions', () => {
    let blocker: BlockingTransaction;
    beforeEach(async () => {
      blocker = await BlockingTransaction.begin(service.database, 'SELECT 1');
    });
    afterEach(() => blocker.end());
    afterEach(() => jest.restoreAllMocks());

    /** Shorter than in production, so that the tests wait less. */
    const shortenTimeouts = () => {
      const budget = service.app.get(SegmentBudget, { strict: false });
      for (const timeout of ['statementTimeoutMs', 'listTimeoutMs', 'refreshTimeoutMs'] as const) {
        jest.replaceProperty(budget, timeout, budget[timeout] / 4);
      }
    };

    /** Reads the segment and the list. Commits the other transaction when both have responded or wait for it. */
    const readAcrossCommit = async (id: number): Promise<ApiResponse[]> => {
      let responded = 0;
      const reading = [`/segments/${id}`, '/segments'].map(async (path) => {
        const response = await api.get(path);
        responded++;
        return response;
      });
      await eventually(async () => {
        expect(responded + (await blocker.blocked()).length).toBe(2);
      });
      await blocker.commit();
      return Promise.all(reading);
    };
    /** A segment that was counted before the contacts changed. */
    const outdated = async (conditions: readonly object[] = [isFirst('Ada')]): Promise<Schema<'Segment'>> => {
      const segment = await given.segment(conditions);
      await given.contact({ first_name: 'Ada' });
      return segment;
    };

    it('is that of the new conditions if they change while the old ones are being counted', async () => {
      const { id } = await outdated();
      await blocker.run(`UPDATE segments SET conditions = $2 WHERE id = $1`, [
        id,
        JSON.stringify([{ ...isFirst('Bob'), connector: null }]),
      ]);
      await blocker.run(
        `UPDATE segment_counts counts SET contacts_count = 0, definition = md5(segment.match_type || segment.conditions::text)
         FROM segments segment
         WHERE counts.workspace_id = segment.workspace_id AND counts.segment_id = segment.id AND segment.id = $1`,
        [id],
      );
      const [one, list] = await readAcrossCommit(id);
      for (const shown of [one?.data, list?.data[0]]) {
        expect(shown).toMatchObject({ contacts_count: expect.any(Number), contacts_counted_at: expect.any(String) });
      }
      const after = (await api.get('/segments')).data;
      expect(after).toMatchObject([{ id, conditions: [{ value: 'Bob' }], contacts_count: 0 }]);
      expect((await api.get(`/segments/${id}`)).data).toMatchObject({ contacts_count: 0 });
    });

    it('does not prevent the deletion of a segment that is being counted', async () => {
      const { id } = await outdated();
      await blocker.run('DELETE FROM segments WHERE id = $1', [id]);
      const [one, list] = await readAcrossCommit(id);
      expect([200, 404]).toContain(one?.status);
      expect(list?.status).toBe(200);
      expect((await api.get('/segments')).data).toEqual([]);
      expect((await api.get(`/segments/${id}`)).status).toBe(404);
    });

    it('causes 422 if it takes too long where it is required, and is the stored one otherwise', async () => {
      const fixtures = await Promise.all(
        [0, 1, 2].map(async () => {
          const client = await service.client();
          const there = new Given(client, service.database);
          const { id: tag } = await there.group('/tags');
          const made = await there.segment([isFirst('Ada'), { ...has('tag_id', tag), connector: 'or' }]);
          await there.contact({ first_name: 'Ada' });
          const [count] = await storedCount(made.id);
          const known = { ...made, contacts_counted_at: count?.counted_at.toISOString() };
          return { client, path: `/segments/${made.id}`, made, known, campaign: await there.campaign() };
        }),
      );
      const [one, two, three] = fixtures as [SegmentFixture, SegmentFixture, SegmentFixture];
      shortenTimeouts();
      await blocker.run('LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE');
      const reading = [one.client.get(one.path), one.client.get('/segments')];
      const refusals = [
        one.client.get(`${one.path}/preview`),
        two.client.get(`${two.path}/contacts`),
        two.client.get(`${two.path}/contacts?search=ada`),
        two.client.put(two.path, { conditions: [isFirst('Bob')] }),
        three.client.post('/segments', { name: 'A', match_type: 'all', conditions: [isFirst('Ada')] }),
        three.client.post(`/campaigns/${three.campaign.id}/contacts/enroll-from-lists`, {
          segment_ids: [three.made.id],
        }),
      ];
      for (const refusal of refusals) expect(await refusal).toMatchObject({ status: 422, body: tooExpensive });
      const [shown, list] = await Promise.all(reading);
      expect(shown).toMatchObject({ status: 200, body: { data: one.known } });
      expect([list?.status, list?.data]).toEqual([200, [one.known]]);
      jest.restoreAllMocks();
      await blocker.end();
      expect((await one.client.get(one.path)).data.contacts_count).toBe(1);
      expect((await two.client.get(two.path)).data.conditions).toEqual(two.made.conditions);
      expect((await three.client.get('/segments')).body.meta.total).toBe(1);
    });

    it('is current in a list although that of another segment takes too long', async () => {
      await given.group('/custom-fields', { key: 'size', type: 'number' });
      const slow = await given.segment([{ field: 'custom_fields.size', operator: 'is_empty' }]);
      const quick = [await given.segment([isFirst('Ada')]), await given.segment([isFirst('Ada'), isFirst('Ada')])];
      await given.contact({ first_name: 'Ada' });
      shortenTimeouts();
      await blocker.run('LOCK TABLE ordered_values IN ACCESS EXCLUSIVE MODE');
      const known = [slow, ...quick].map(({ id }) => id);
      await eventually(async () => {
        const { data } = await api.get('/segments?direction=asc');
        expect(data.map((one: Schema<'Segment'>) => [one.id, one.contacts_count])).toEqual(
          known.map((id) => [id, id === slow.id ? 0 : 1]),
        );
      });
    });

    it('is computed for a limited number of requests, and the others get 429 immediately', async () => {
      const { id } = await outdated();
      await blocker.run('LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE');
      const asked = Array.from({ length: 40 }, () => api.get(`/segments/${id}/preview`));
      const refused = await Promise.any(
        asked.map(async (response) =>
          (await response).status === 429 ? response : Promise.reject(new Error('served')),
        ),
      );
      expect(refused.body).toEqual({
        error: 'TooManyRequests',
        message: 'Too Many Attempts.',
        errors: null,
        code: 429,
        reason: 'busy',
      });
      for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after']) {
        expect([header, refused.headers.get(header)]).toEqual([header, expect.stringMatching(/^\d+$/)]);
      }
      await blocker.end();
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(19);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    });
  });

  it('is current in a page of 100 segments with 20 conditions each', async () => {
    const groups = [await given.group('/tags'), await given.group('/lists')];
    await given.group('/custom-fields', { key: 'size', type: 'number' });
    await given.contacts(50);
    const conditions = Array.from({ length: 20 }, (_, n) => {
      const negated = n % 3 === 0 ? 'not_equals' : 'equals';
      const connector = n % 2 === 0 ? 'or' : 'and';
      if (n % 4 === 0) return { field: 'custom_fields.size', operator: 'greater_than', value: n, connector };
      if (n % 4 === 1) return { field: 'first_name', operator: 'contains', value: `Name${n}`, connector };
      return {
        field: n % 4 === 2 ? 'tag_id' : 'list_id',
        operator: negated,
        value: groups[(n % 4) - 2]?.id,
        connector,
      };
    });
    for (let n = 0; n < 100; n++) await given.segment(conditions, { match_type: n % 2 ? 'all' : 'any' });
    await given.contact({ first_name: 'Name1', custom_fields: { size: 100 } });
    await eventually(async () => {
      const { status, data } = await api.get('/segments?per_page=100');
      expect([status, data.length]).toEqual([200, 100]);
      expect(data.map((one: Schema<'Segment'>) => one.contacts_count)).toEqual(data.map(() => 1));
    });
    const [{ id }] = (await api.get('/segments')).data;
    expect((await api.get(`/segments/${id}/contacts?has_email=1`)).body.meta.total).toBe(1);
  });
});
