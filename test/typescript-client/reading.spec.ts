import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { allOf, loadClient } from './client-package.js';

const service = useService();
let outreach: any;
let api: ApiClient;
let given: Given;
let client: any;

beforeAll(async () => {
  outreach = await loadClient();
});
beforeEach(async () => {
  api = await service.client();
  given = new Given(api, service.database);
  client = outreach.createClient({ baseUrl: service.url, token: api.token });
});

describe('an iteration', () => {
  it('returns each contact once while others are created and deleted', async () => {
    const stored = await given.contacts(250);
    const deleted = new Set<number>();
    const seen: number[] = [];
    for await (const { id } of client.iterate('/v1/contacts', { query: { per_page: 20, sort: 'email' } })) {
      seen.push(id);
      if (seen.length % 10 !== 0) continue;
      await given.contacts(5, `new${seen.length}-`);
      await api.delete(`/contacts/${id}`);
      deleted.add(id);
    }
    expect(deleted.size).toBeGreaterThan(20);
    expect(new Set(seen).size).toBe(seen.length);
    expect(stored.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('respects filters, and reads a list whose path has a parameter', async () => {
    const ids = await given.contacts(120);
    const tag = await given.group('/tags');
    await api.post(`/tags/${tag.id}/contacts`, { contact_ids: ids.slice(0, 110) });
    expect(await allOf(client.iterate('/v1/contacts', { query: { tag_id: tag.id } }))).toHaveLength(110);
    const segment = await given.segment([{ field: 'email', operator: 'contains', value: 'c1' }]);
    const members: any[] = await allOf(client.iterate('/v1/segments/{id}/contacts', { path: { id: segment.id } }));
    expect(members.map(({ email }) => email).sort()).toEqual(
      Array.from({ length: 120 }, (_, index) => `c${index + 1}@example.com`)
        .filter((email) => email.startsWith('c1'))
        .sort(),
    );
  });

  it('goes through the pages of a list without cursors', async () => {
    for (let number = 0; number < 7; number += 1) await given.group('/tags');
    const pages: any[] = await allOf(client.iteratePages('/v1/tags', { query: { per_page: 3 } }));
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
    expect(await allOf(client.iterate('/v1/tags'))).toHaveLength(7);
  });

  it('of an empty list ends without a record', async () => {
    expect(await allOf(client.iterate('/v1/contacts'))).toEqual([]);
    expect(await allOf(client.iterate('/v1/tags'))).toEqual([]);
    expect(await allOf(client.iterate('/v1/events'))).toEqual([]);
  });

  it('asks for a page only when it is needed', async () => {
    await given.contacts(50);
    let requests = 0;
    const counting = outreach.createClient({
      baseUrl: service.url,
      token: api.token,
      fetch: (request: Request) => {
        requests += 1;
        return fetch(request);
      },
    });
    for await (const _contact of counting.iterate('/v1/contacts', { query: { per_page: 10 } })) break;
    expect(requests).toBe(1);
  });

  it('throws an ApiError if the service refuses a page', async () => {
    const pages = client.iterate('/v1/contacts', { query: { company_id: 4711 } });
    await expect(allOf(pages)).rejects.toMatchObject({ status: 422, errors: { company_id: expect.any(Array) } });
  });
});

describe('the events', () => {
  it('are read in their order, from an ID, by name', async () => {
    for (let number = 0; number < 5; number += 1) await given.contact();
    const events: any[] = await eventually(async () => {
      const all = await allOf(client.iterateEvents());
      expect(all).toHaveLength(5);
      return all;
    });
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(await allOf(client.iterateEvents({ after: ids[2] }))).toEqual(events.slice(3));
    expect(await allOf(client.iterateEvents({ events: ['contact.deleted'] }))).toEqual([]);
    expect(await allOf(client.iterate('/v1/events', { query: { limit: 2 } }))).toEqual(events);
  });

  it('are followed until the signal aborts', async () => {
    const controller = new AbortController();
    const emails: string[] = [];
    const follow = async () => {
      const feed = client.iterateEvents({ follow: true, pollIntervalMs: 50, signal: controller.signal });
      for await (const { data } of feed) emails.push(data.email);
    };
    const following = follow();
    const first = await given.contact();
    await eventually(() => expect(emails).toEqual([first.email]));
    const second = await given.contact();
    await eventually(() => expect(emails).toEqual([first.email, second.email]));
    controller.abort(new Error('The process ends.'));
    await expect(following).rejects.toThrow('The process ends.');
  });
});
