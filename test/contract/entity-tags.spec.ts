import { createHash } from 'node:crypto';
import { conditionalRoute } from '@outreach/http-api/records';
import { type Route, Routes } from '@outreach/http-api/routes';
import { BODIES } from '../isolation/bodies.js';
import { type Ids, WorkspaceFixture } from '../isolation/workspace-fixture.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { httpError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const FAILED = httpError(412, 'precondition_failed');
const CONCURRENT = 10;
/** Routes without a record that `GET` shows. */
const UNCONDITIONAL = [
  'DELETE /v1/blacklist/bulk-delete',
  'DELETE /v1/lists/:id/contacts',
  'DELETE /v1/tags/:id/contacts',
  'DELETE /v1/tokens/:id',
];

const tagOf = ({ headers }: ApiResponse): string => headers.get('etag') ?? '';
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

describe('entity tags', () => {
  const service = useSharedService();
  let api: ApiClient;
  let routes: Route[];
  beforeAll(() => {
    routes = service.app.get(Routes).all();
  });
  beforeEach(async () => {
    api = await service.client();
  });

  const contact = async () => (await api.post('/contacts', { email: 'ada@example.com', first_name: 'Ada' })).body;

  it('are the hash of the whole body of a record, and of no list or export', async () => {
    const { id } = await contact();
    const response = await fetch(`${api.url}/v1/contacts/${id}`, { headers: { authorization: `Bearer ${api.token}` } });
    const hash = createHash('sha1')
      .update(await response.text())
      .digest('base64url');
    expect(response.headers.get('etag')).toBe(`"${hash}"`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const path of ['/contacts', '/contacts/export', '/lists', '/blacklist/reasons', '/campaigns']) {
      expect([path, (await api.get(path)).headers.get('etag')]).toEqual([path, null]);
    }
    expect((await api.get('/contacts/9007199254740991')).headers.get('etag')).toBeNull();
  });

  it('of a change are those of the next GET, also of the bare record of POST /contacts', async () => {
    const created = await api.post('/contacts', { email: 'ada@example.com', custom_fields: { b: 1, a: 0 } });
    const path = `/contacts/${created.body.id}`;
    const current = async () => tagOf(await api.get(path));
    expect(tagOf(created)).toBe(await current());
    const tag = (await api.post('/tags', { name: 'VIP' })).data.id;
    for (const body of [{}, { first_name: 'Ada' }, { tags: [tag], custom_fields: { long_key: 2.5, c: 'é' } }]) {
      expect(tagOf(await api.put(path, body))).toBe(await current());
    }
    expect(tagOf(await api.post(`${path}/unsubscribe`))).toBe(await current());
    expect(tagOf(await api.put('/contacts/by-email/ada@example.com', { last_name: 'L' }))).toBe(await current());
    expect(tagOf(await api.put('/contacts/by-email/eve@example.com'))).toMatch(/^"[\w-]{27}"$/);
  });

  it('give 304 without a body to If-None-Match', async () => {
    const path = `/contacts/${(await contact()).id}`;
    const tag = tagOf(await api.get(path));
    for (const header of [tag, '*', `W/${tag}`, `"x", ${tag}`]) {
      const { status, body, headers } = await api.get(path, { 'if-none-match': header });
      expect([header, status, body, headers.get('etag')]).toEqual([header, 304, '', tag]);
      expect((await api.call('HEAD', path, undefined, { 'if-none-match': header })).status).toBe(304);
    }
    for (const header of ['"x"', tag.slice(1, -1), '']) {
      expect((await api.get(path, { 'if-none-match': header })).status).toBe(200);
    }
    await api.put(path, { first_name: 'New' });
    expect((await api.get(path, { 'if-none-match': tag })).status).toBe(200);
    expect((await api.get('/contacts/9007199254740991', { 'if-none-match': '*' })).status).toBe(404);
    for (const list of ['/contacts', '/lists', '/events', '/tokens', '/blacklist/reasons'])
      expect([list, (await api.get(list, { 'if-none-match': '*' })).status]).toEqual([list, 200]);
    expect((await api.get(path, { 'if-match': '"x"' })).status).toBe(200);
    const head = await api.call('HEAD', path);
    expect([head.status, head.body, tagOf(head)]).toEqual([200, '', tagOf(await api.get(path))]);
  });

  it('refuse PUT, PATCH and DELETE with 412 if they do not match, after 404 and before 422', async () => {
    const { id } = await contact();
    const path = `/contacts/${id}`;
    const tag = tagOf(await api.get(path));
    for (const match of ['"x"', `W/${tag}`, tag.slice(1, -1), '']) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { first_name: 'Changed', email: null };
        const refused = await api.call(method, path, body, { 'if-match': match });
        expect([match, method, refused.status, refused.body]).toEqual([match, method, 412, FAILED]);
      }
    }
    expect(tagOf(await api.get(path))).toBe(tag);
    expect((await api.put('/contacts/9007199254740991', {}, { 'if-match': '"x"' })).status).toBe(404);
    expect((await api.delete('/contacts/9007199254740991', undefined, { 'if-match': '*' })).status).toBe(404);
    expect((await api.put(path, { email: null }, { 'if-match': tag })).status).toBe(422);
    expect((await api.put(path, {}, { 'if-none-match': tag })).status).toBe(412);
    expect((await api.post(`${path}/unsubscribe`, undefined, { 'if-match': '"x"' })).status).toBe(200);
    const changed = await api.put(
      path,
      { first_name: 'Changed' },
      { 'if-match': `"x", ${tagOf(await api.get(path))}` },
    );
    expect([changed.status, tagOf(changed)]).toEqual([200, tagOf(await api.get(path))]);
    expect((await api.delete(path, undefined, { 'if-match': tagOf(changed) })).status).toBe(204);
  });

  it('let one of many concurrent requests with the same If-Match succeed', async () => {
    const { id } = await contact();
    const path = `/contacts/${id}`;
    for (let round = 0; round < 4; round += 1) {
      const match = { 'if-match': tagOf(await api.get(path)) };
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, n) => api.put(path, { first_name: `${round}.${n}` }, match)),
      );
      const done = responses.filter(({ status }) => status === 200);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(CONCURRENT - 1);
      expect(done.map(({ data }) => data)).toEqual([(await api.get(path)).data]);
    }
  });

  it('notice a concurrent change without a condition, of the record or of what belongs to it', async () => {
    const { id } = await contact();
    const path = `/contacts/${id}`;
    const tags = (await api.post('/tags', { name: 'VIP' })).data.id;
    for (let round = 0; round < 6; round += 1) {
      const match = { 'if-match': tagOf(await api.get(path)) };
      const change =
        round % 2 ? api.put(path, { phone: String(round) }) : api.post(`/tags/${tags}/contacts`, { contact_ids: [id] });
      const [conditional] = await Promise.all([api.put(path, { first_name: `R${round}` }, match), change]);
      const { data } = await api.get(path);
      expect(data.first_name === `R${round}`).toBe(conditional.status === 200);
      expect([200, 412]).toContain(conditional.status);
    }
  });

  it('let a PUT by key create only, or update only', async () => {
    const path = '/contacts/by-email/ada@example.com';
    const send = (headers: object, name: string) => api.put(path, { first_name: name }, headers);
    expect(await send({ 'if-match': '*' }, 'A')).toMatchObject({ status: 412, body: FAILED });
    const responses = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, n) => send({ 'if-none-match': '*' }, `B${n}`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 412)]);
    expect((await send({ 'if-match': '*' }, 'C')).status).toBe(200);
    const [created] = responses.filter(({ status }) => status === 201);
    expect((await send({ 'if-match': tagOf(created as ApiResponse) }, 'D')).status).toBe(412);
    const tag = tagOf(await api.get(`/contacts/${created?.data.id}`));
    expect((await send({ 'if-match': tag }, 'E')).status).toBe(200);
    expect((await api.put('/contacts/by-email/nobody', {}, { 'if-match': '*' })).status).toBe(422);
  });

  it('come after the check that the record exists, also of one that is deleted by its key', async () => {
    for (const match of ['*', '"x"']) {
      const headers = { 'if-match': match };
      expect((await api.delete('/blacklist/nobody@example.com', undefined, headers)).status).toBe(404);
      expect((await api.delete('/contacts/999999', undefined, headers)).status).toBe(404);
    }
  });

  it('hold for each record that GET shows and another method changes', async () => {
    const changing = routes.filter(
      ({ method, path }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && path.startsWith('/v1/'),
    );
    const unconditional = changing.filter((route) => !conditionalRoute(route, routes));
    expect(unconditional.map(nameOf).sort()).toEqual(UNCONDITIONAL);
    const locked = changing.filter((route) => conditionalRoute(route, routes)?.rule);
    expect(changing.filter((route) => !locked.includes(route) && !unconditional.includes(route)).map(nameOf)).toEqual([
      'PUT /v1/settings',
      'PATCH /v1/settings',
    ]);
    const fixture = await new WorkspaceFixture(api, service.database, 'mine').fill();
    const order = (route: Route) => (route.method === 'DELETE' ? 1_000 - route.path.length : 0);
    const conditional = changing.filter((route) => route.method !== 'PATCH' && !unconditional.includes(route));
    for (const route of conditional.sort((one, other) => order(one) - order(other))) await check(route, fixture);
  });

  const check = async (route: Route, fixture: WorkspaceFixture): Promise<void> => {
    const { get } = conditionalRoute(route, routes) ?? { get: route };
    const shown = pathOf(get.path, fixture);
    const path = pathOf(route.path, fixture);
    const body = route.method === 'DELETE' ? undefined : BODIES[`PUT ${route.path}`]?.(fixture);
    // The number of contacts of a segment follows changes of contacts after a moment.
    const before = await eventually(async () => {
      const tag = tagOf(await api.get(shown));
      expect([nameOf(route), tagOf(await api.get(shown))]).toEqual([nameOf(route), tag]);
      return tag;
    });
    expect([nameOf(route), before]).toEqual([nameOf(route), expect.stringMatching(/^"[\w-]{27}"$/)]);
    const refused = await api.call(route.method, path, body, { 'if-match': '"x"' });
    expect([nameOf(route), refused.status, tagOf(await api.get(shown))]).toEqual([nameOf(route), 412, before]);
    const done = await api.call(route.method, path, body, { 'if-match': before });
    const isAllowed = route.path !== '/v1/email-accounts/:id' || route.method !== 'DELETE';
    expect([nameOf(route), done.status]).toEqual([
      nameOf(route),
      isAllowed ? (route.method === 'DELETE' ? 204 : 200) : 403,
    ]);
    if (done.status === 200) expect([nameOf(route), tagOf(done)]).toEqual([nameOf(route), tagOf(await api.get(shown))]);
  };

  const pathOf = (path: string, fixture: WorkspaceFixture): string => {
    const resource = /^(.*:\w+)/.exec(path)?.[1];
    const ids: Ids = resource ? fixture.idsOf(resource) : {};
    return path.replace(/^\/v1/, '').replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(ids[name])));
  };
});
