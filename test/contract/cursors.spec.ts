import type { ApiClient } from '../support/api-client.js';
import { givenLogs } from '../support/given-logs.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const CONTACT_SORTS = [
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
const DIRECTIONS = ['asc', 'desc'];

describe('a list with a cursor', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  /** Reads a list to its end. @param between is called after each page */
  async function walk(path: string, between: () => Promise<unknown> = () => Promise.resolve()): Promise<any[]> {
    const found: any[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
      expect({ status, body }).toMatchObject({ status: 200 });
      found.push(...body.data);
      cursor = body.meta.next_cursor;
      await between();
    }
    return found;
  }
  const idsOf = (records: readonly { id: number | string }[]): (number | string)[] => records.map(({ id }) => id);
  const all = async (path: string) =>
    idsOf((await api.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100`)).data);

  /** Contacts of which many have the same values, and many have none. */
  async function variedContacts(count: number): Promise<number[]> {
    const rows = await service.database.query<{ id: string }>(
      `INSERT INTO contacts (workspace_id, email, first_name, last_name, job_title, linkedin_url, status, lifecycle_stage,
         created_at, updated_at)
       SELECT $1, 'varied' || n || '@example.com', CASE n % 3 WHEN 0 THEN 'Émile' WHEN 1 THEN 'anna' END,
         CASE WHEN n % 2 = 0 THEN 'Doe' END, CASE WHEN n % 5 < 2 THEN 'Manager' || n % 4 END,
         CASE WHEN n % 7 = 0 THEN 'https://example.com/in/' || n END,
         (ARRAY['active', 'unsubscribed', 'bounced'])[1 + n % 3], (ARRAY['lead', 'customer', 'other'])[1 + n % 3],
         timestamptz '2026-01-01' + make_interval(secs => (n / 4) * 0.001),
         timestamptz '2026-01-02' + make_interval(secs => (n % 5) * 0.001)
       FROM generate_series(1, $2::int) n RETURNING id`,
      [api.workspaceId, count],
    );
    return rows.map(({ id }) => Number(id));
  }

  it('has the contacts of all pages in the order of any sort, each once', async () => {
    await variedContacts(43);
    for (const sort of CONTACT_SORTS) {
      for (const direction of DIRECTIONS) {
        const path = `/contacts?sort=${sort}&direction=${direction}`;
        const expected = await all(path);
        expect({ path, ids: idsOf(await walk(`${path}&per_page=7`)) }).toEqual({ path, ids: expected });
        expect({ path, ids: idsOf(await walk(`${path}&per_page=43&total=0`)) }).toEqual({ path, ids: expected });
      }
    }
  });

  it('has them with filters and with a search, too', async () => {
    const ids = await variedContacts(43);
    const { id: list } = await given.group('/lists');
    await api.post(`/lists/${list}/contacts`, { contact_ids: ids.slice(0, 30) });
    const segment = await given.segment([{ field: 'last_name', operator: 'equals', value: 'Doe' }]);
    for (const path of ['/contacts?status=bounced', `/contacts?list_id=${list}`, '/contacts?search=varied anna']) {
      for (const sort of ['created_at', 'first_name', 'status']) {
        const sorted = `${path}&sort=${sort}`;
        const expected = await all(sorted);
        expect(expected.length).toBeGreaterThan(10);
        expect({ sorted, ids: idsOf(await walk(`${sorted}&per_page=4`)) }).toEqual({ sorted, ids: expected });
        expect(idsOf(await walk(`${sorted}&per_page=4&total=0`))).toEqual(expected);
      }
    }
    const members = `/segments/${segment.id}/contacts?sort=job_title&direction=asc`;
    expect(idsOf(await walk(`${members}&per_page=5`))).toEqual(await all(members));
    const active = `/segments/${segment.id}/contacts?status=active`;
    expect(idsOf(await walk(`${active}&per_page=2&total=0`))).toEqual(await all(active));
  });

  it('has each record once while others are created and deleted between the pages', async () => {
    const ids = await variedContacts(40);
    const doomed = ids.filter((_, index) => index % 4 === 3);
    for (const sort of CONTACT_SORTS.slice(0, 3)) {
      const others = new Set<number>();
      const found = await walk(`/contacts?sort=${sort}&per_page=6`, async () => {
        const id = doomed.pop();
        if (id !== undefined && (await api.delete(`/contacts/${id}`)).status === 204) others.add(id);
        others.add((await given.contact({ first_name: 'Anna' })).id);
      });
      const seen = idsOf(found);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(ids.filter((id, index) => index % 4 !== 3 && !others.has(id))));
    }
  });

  it('goes on after a record that was deleted', async () => {
    await variedContacts(6);
    const expected = await all('/contacts');
    const { data, body } = await api.get('/contacts?per_page=2&cursor=');
    await api.delete(`/contacts/${data[1].id}`);
    const next = await api.get(`/contacts?per_page=2&cursor=${body.meta.next_cursor}`);
    expect(idsOf(next.data)).toEqual(expected.slice(2, 4));
  });

  it('counts the records unless total=0, and links the next page alone', async () => {
    await given.contacts(5);
    const { body } = await api.get('/contacts?per_page=2&cursor=&sort=email');
    const cursor = body.meta.next_cursor;
    expect(body.meta).toEqual({
      current_page: null,
      last_page: 3,
      per_page: 2,
      total: 5,
      count: 2,
      next_cursor: expect.stringMatching(/^[\w-]+$/),
    });
    expect(body.links).toEqual({
      first: null,
      last: null,
      prev: null,
      next: `http://outreach.test/v1/contacts?per_page=2&sort=email&cursor=${cursor}`,
    });
    const uncounted = await api.get(`/contacts?per_page=50&sort=email&total=0&cursor=${cursor}`);
    expect(uncounted.body.meta).toMatchObject({ last_page: null, total: null, count: 3, next_cursor: null });
    expect(uncounted.body.links.next).toBeNull();
  });

  it('leaves out the count with page numbers, too, and still shows whether another page follows', async () => {
    await given.contacts(5);
    const { body } = await api.get('/contacts?per_page=2&page=2&total=0');
    expect(body.meta).toEqual({ current_page: 2, last_page: null, per_page: 2, total: null, count: 2 });
    expect(body.links).toMatchObject({ last: null, next: expect.stringContaining('page=3'), prev: expect.any(String) });
    expect((await api.get('/contacts?per_page=2&page=3&total=0')).body.links.next).toBeNull();
    expect((await api.get('/contacts?per_page=2&page=9&total=0')).body).toMatchObject({
      data: [],
      links: { next: null },
    });
  });

  it('refuses a cursor of another sort, filter, list or workspace, and what is not a cursor', async () => {
    await variedContacts(9);
    const segment = await given.segment([{ field: 'email', operator: 'contains', value: 'varied' }]);
    const { body } = await api.get('/contacts?per_page=2&status=active&cursor=');
    const cursor: string = body.meta.next_cursor;
    const other = await service.client();
    const refused = [
      [api, `/contacts?status=active&sort=email&cursor=${cursor}`],
      [api, `/contacts?status=active&direction=asc&cursor=${cursor}`],
      [api, `/contacts?cursor=${cursor}`],
      [api, `/contacts?status=bounced&cursor=${cursor}`],
      [api, `/segments/${segment.id}/contacts?status=active&cursor=${cursor}`],
      [other, `/contacts?status=active&cursor=${cursor}`],
      [api, '/contacts?status=active&cursor=1'],
      [api, '/contacts?status=active&cursor=null'],
      [api, `/contacts?status=active&cursor=${cursor.slice(0, -2)}`],
      [api, `/contacts?status=active&cursor=A${cursor}`],
      [api, '/contacts?cursor=WyIyMDI2IiwxXQ'],
    ] as const;
    for (const [client, path] of refused) {
      const { status, body: error } = await client.get(path);
      expect({ path, status, fields: Object.keys(error.errors) }).toEqual({ path, status: 422, fields: ['cursor'] });
    }
    expect((await api.get(`/contacts?status=active&per_page=3&sort=created_at&cursor=${cursor}`)).status).toBe(200);
  });

  it('refuses page beside cursor, whatever the page', async () => {
    for (const query of ['page=1&cursor=', 'cursor=&page=2']) {
      const { status, body } = await api.get(`/contacts?${query}`);
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['page'] });
    }
    expect((await api.get('/contacts?total=no&cursor=')).body.errors).toHaveProperty('total');
    expect((await api.get('/contacts?cursor=&cursor=')).body.errors).toHaveProperty('cursor');
  });

  it('has the enrollments and the messages of a campaign, those that wait and those with a result', async () => {
    const campaign = await given.campaign();
    const contacts = await given.contacts(20, 'enrolled');
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts });
    const insert = (table: string, status: string, remainder: number) =>
      service.database.query(
        `INSERT INTO ${table} (workspace_id, campaign_id, enrollment_id, contact_id, status, created_at)
         SELECT workspace_id, campaign_id, id, contact_id, $2, timestamptz '2026-01-01' + make_interval(secs => id / 3)
         FROM enrollments WHERE workspace_id = $1 AND id % 2 = $3 ORDER BY id`,
        [api.workspaceId, status, remainder],
      );
    await insert('queued_messages', 'queued', 0);
    await insert('messages', 'sent', 1);
    const enrollments = `/campaigns/${campaign.id}/contacts`;
    const messages = `/campaigns/${campaign.id}/messages`;
    for (const path of [enrollments, messages, `${messages}?status=sent`, `${messages}?direction=asc`]) {
      const expected = await all(path);
      expect(expected.length).toBeGreaterThanOrEqual(10);
      const sized = `${path}${path.includes('?') ? '&' : '?'}per_page=3`;
      expect({ path, ids: idsOf(await walk(sized)) }).toEqual({ path, ids: expected });
      expect(idsOf(await walk(`${sized}&total=0`))).toEqual(expected);
    }
  });

  it('has the activity of a contact', async () => {
    const { id } = await given.contact();
    for (let change = 0; change < 4; change += 1) {
      await api.post(`/contacts/${id}/unsubscribe`);
      await api.post(`/contacts/${id}/resubscribe`);
    }
    await service.database.query('UPDATE contact_changes SET created_at = $1', ['2026-01-01T00:00:00.123Z']);
    for (const query of ['', '&direction=asc', '&type=contact.status_changed', '&total=0']) {
      const path = `/contacts/${id}/activity?per_page=2${query}`;
      expect(idsOf(await walk(path))).toEqual(await all(path.replace('per_page=2', '')));
    }
  });

  it('has the logs of a webhook in the order of any sort, each once', async () => {
    const { body } = await api.post('/webhooks', { url: 'https://example.com/hook', events: ['email.sent'] });
    const webhook = { workspace_id: api.workspaceId, id: body.data.id };
    const today = Date.now();
    const logs = Array.from({ length: 40 }, (_, index) => ({
      event: ['email.sent', 'email.opened', 'contact.created'][index % 3] ?? '',
      status_code: [200, 500, 0][index % 3] ?? 0,
      success: index % 3 === 0,
      created_at: new Date(today - Math.floor((39 - index) / 6) * 86_400_000 - (index % 2)).toISOString(),
    }));
    await givenLogs(service.database, webhook, logs);
    for (const sort of ['created_at', 'event', 'status_code', 'success']) {
      for (const query of ['', '&success=0', '&direction=asc&total=0', '&search=email']) {
        const path = `/webhooks/${webhook.id}/logs?sort=${sort}${query}`;
        const ids = idsOf(await walk(`${path}&per_page=3`));
        const expected = await all(path);
        expect({ path, ids: [...ids].sort() }).toEqual({ path, ids: [...expected].sort() });
        expect(idsOf(await walk(`${path}&per_page=100`))).toEqual(ids);
      }
    }
    const { body: page } = await api.get(`/webhooks/${webhook.id}/logs?cursor=&per_page=4`);
    expect(page.meta).toMatchObject({ total: 40, last_page: 10, current_page: null });
    expect(idsOf(page.data)).toEqual((await all(`/webhooks/${webhook.id}/logs`)).slice(0, 4));
  });

  it('has only what has changed since an instant, that instant included', async () => {
    const campaign = await given.campaign();
    const ids = await given.contacts(3, 'changed');
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: ids });
    await service.database.query(
      `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id)
       SELECT workspace_id, campaign_id, id, contact_id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2`,
      [api.workspaceId, ids[0]],
    );
    await service.database.query(
      `INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, status)
       SELECT workspace_id, campaign_id, id, contact_id, 'sent' FROM enrollments WHERE workspace_id = $1 AND contact_id > $2`,
      [api.workspaceId, ids[0]],
    );
    const instant = '2030-01-01T00:00:00.500Z';
    const lists = [
      ['contacts', '/contacts?', 2],
      ['campaigns', '/campaigns?', 0],
      ['enrollments', `/campaigns/${campaign.id}/contacts?`, 2],
      ['queued_messages', `/campaigns/${campaign.id}/messages?status=queued&`, 0],
      ['messages', `/campaigns/${campaign.id}/messages?status=sent&`, 1],
    ] as const;
    for (const [table, path, others] of lists) {
      const [changed] = (await api.get(path)).data;
      await service.database.query(`UPDATE ${table} SET updated_at = $2 WHERE id = $1`, [changed.id, instant]);
      expect(await all(`${path}updated_since=2026-01-01`)).toHaveLength(1 + others);
      const found = await api.get(`${path}updated_since=${instant}`);
      expect(found.body).toMatchObject({ data: [{ id: changed.id }], meta: { total: 1 } });
      expect((await api.get(`${path}updated_since=2030-01-01T00:00:00.501Z`)).data).toEqual([]);
      if (table !== 'campaigns') expect(idsOf(await walk(`${path}updated_since=${instant}`))).toEqual([changed.id]);
      expect((await api.get(`${path}updated_since=yesterday`)).body.errors).toHaveProperty('updated_since');
    }
  });
});
