import { BackgroundSteps } from '@outreach/concurrency';
import type { ApiClient } from '../support/api-client.js';
import { useSharedService } from '../support/service.js';

const welcome = { name: 'Welcome', subject: 'Hello {{ first_name }}', body: '<p>Dear {{first_name}}, {{ city }}</p>' };

describe('GET /templates', () => {
  const service = useSharedService();
  let api: ApiClient;

  const given = async (values: object): Promise<void> => {
    expect((await api.post('/templates', { ...welcome, ...values })).status).toBe(201);
  };
  const namesOf = async (query = ''): Promise<string[]> =>
    (await api.get(`/templates?per_page=100${query}`)).data.map(({ name }: { name: string }) => name);

  beforeEach(async () => {
    api = await service.client();
    await given({ name: 'Beta 100%', subject: 'c', category: 'welcome', is_library: true });
    await given({ name: 'alpha beta', subject: 'b', category: 'newsletter' });
    await given({ name: 'Été', subject: 'a', category: 'other', is_library: true });
    await (await service.client()).post('/templates', { ...welcome, name: 'Of another workspace' });
  });

  it('returns the templates of the workspace, newest first, 15 per page', async () => {
    const { status, body } = await api.get('/templates');
    expect(status).toBe(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Été', 'alpha beta', 'Beta 100%']);
    expect(body.data[0]).toEqual((await api.get(`/templates/${body.data[0].id}`)).data);
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 3, count: 3 });
    expect(body.links).toEqual({
      first: 'http://outreach.test/v1/templates?page=1',
      last: 'http://outreach.test/v1/templates?page=1',
      prev: null,
      next: null,
    });
  });

  it('finds names that contain all search terms, and treats % as an ordinary character', async () => {
    expect(await namesOf('&search=BETA')).toEqual(['alpha beta', 'Beta 100%']);
    expect(await namesOf('&search=beta%20alp')).toEqual(['alpha beta']);
    expect(await namesOf('&search=%25')).toEqual(['Beta 100%']);
    expect(await namesOf('&search=Hello')).toEqual([]);
    expect(await namesOf(`&search=${encodeURIComponent('ÉTÉ')}`)).toEqual(['Été']);
  });

  it('filters by category and is_library', async () => {
    expect(await namesOf('&category=welcome')).toEqual(['Beta 100%']);
    expect(await namesOf('&category=prospection')).toEqual([]);
    expect(await namesOf('&is_library=1')).toEqual(['Été', 'Beta 100%']);
    expect(await namesOf('&is_library=0')).toEqual(['alpha beta']);
    expect(await namesOf('&is_library=1&category=other&search=t')).toEqual(['Été']);
  });

  it('sorts in both directions and paginates', async () => {
    const subjects = ['Été', 'alpha beta', 'Beta 100%'];
    expect(await namesOf('&sort=subject&direction=asc')).toEqual(subjects);
    expect(await namesOf('&sort=subject')).toEqual([...subjects].reverse());
    expect(await namesOf('&sort=category&direction=asc')).toEqual(['Beta 100%', 'alpha beta', 'Été']);
    expect(await namesOf('&direction=asc')).toEqual(['Beta 100%', 'alpha beta', 'Été']);
    const names = await namesOf('&sort=name');
    expect([...names].sort()).toEqual([...subjects].sort());
    expect(await namesOf('&sort=name&direction=asc')).toEqual(names.reverse());
    const [last] = (await api.get('/templates?direction=asc&per_page=1')).data;
    await api.put(`/templates/${last.id}`, { subject: 'later' });
    expect((await namesOf('&sort=updated_at'))[0]).toBe('Beta 100%');
    const page = (await api.get('/templates?per_page=1&page=2&is_library=1')).body;
    expect(page.data).toMatchObject([{ name: 'Beta 100%' }]);
    expect(page.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2, count: 1 });
    expect(page.links.prev).toBe('http://outreach.test/v1/templates?per_page=1&is_library=1&page=1');
  });

  it('looks for unknown variables in long texts in turns with the long work of other workspaces', async () => {
    const long = await service.client();
    await service.database.query(
      `INSERT INTO templates (workspace_id, name, subject, body)
       SELECT $1, 'T' || n, '{{ first_name }}', '{{ plan | default: "' || repeat('\\"', 100000) || '" }}' FROM generate_series(1, 20) n`,
      [long.workspaceId],
    );
    const finish = jest.spyOn(BackgroundSteps.prototype, 'finish');
    const { data } = await long.get('/templates?per_page=100');
    expect(data.map((each: { unknown_variables: string[] }) => each.unknown_variables)).toEqual(
      Array(20).fill(['plan']),
    );
    expect(finish.mock.calls).toEqual([[long.workspaceId, expect.anything()]]);
    finish.mockRestore();
  });

  it('requires the permission templates:read', async () => {
    expect((await (await service.client(['templates:write'])).get('/templates')).status).toBe(403);
    expect((await (await service.client(['templates:read'])).get('/templates')).data).toEqual([]);
  });

  it.each([
    ['page=x', 'page'],
    ['per_page=0', 'per_page'],
    ['category=spam', 'category'],
    ['category=', 'category'],
    ['category=other&category=welcome', 'category'],
    ['is_library=true', 'is_library'],
    ['is_library=', 'is_library'],
    ['is_library=2', 'is_library'],
    ['sort=body', 'sort'],
    ['sort=is_library', 'sort'],
    ['direction=DESC', 'direction'],
    ['search=%00', 'search'],
  ])('returns 422 for ?%s', async (query, field) => {
    const { status, body } = await api.get(`/templates?${query}`);
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
  });
});
