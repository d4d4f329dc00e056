import fc from 'fast-check';
import { DailyPartitions } from '@outreach/database';
import { Database } from '../../src/platform/database/index.js';
import type { ApiClient } from '../support/api-client.js';
import { TIMESTAMP, UUID } from '../support/expected.js';
import { type GivenLog, givenLogs } from '../support/given-logs.js';
import { useService } from '../support/service.js';

const DAY_MS = 86_400_000;
/** The clocks of the workspaces stop here, so that it is one day during a test. */
const NOW = new Date();

/** Returns the day (UTC) so many days ago. */
const day = (ago: number): string => new Date(NOW.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
const at = (ago: number, time = '12:00:00.000'): string => `${day(ago)}T${time}Z`;

interface ListedLog extends GivenLog {
  readonly id: number;
}

describe('GET /webhooks/{id}/logs', () => {
  const service = useService();
  let api: ApiClient;
  let webhook: { workspace_id: number; id: number };
  beforeAll(async () => {
    // Some days have partitions, as if a worker had run; the others are in the default partition.
    const partitions = new DailyPartitions(service.app.get(Database));
    for (const table of ['webhook_logs', 'webhook_events']) await partitions.extend(table, new Date(day(7)), 5);
  });

  const newWebhook = async (client: ApiClient) => {
    const { data } = await client.post('/webhooks', { url: 'https://127.0.0.1:44443', events: ['email.sent'] });
    return { workspace_id: client.workspaceId, id: data.id as number };
  };
  beforeEach(async () => {
    api = await service.client();
    service.clocks.stop(api.workspaceId, NOW);
    webhook = await newWebhook(api);
  });

  const log = (changes: Partial<GivenLog> = {}): GivenLog => ({
    event: 'email.sent',
    status_code: 200,
    success: true,
    created_at: at(1),
    ...changes,
  });
  const given = async (...logs: Partial<GivenLog>[]): Promise<number[]> =>
    givenLogs(service.database, webhook, logs.map(log));
  const list = (query = '') => api.get(`/webhooks/${webhook.id}/logs${query && `?${query}`}`);
  const ids = async (query: string): Promise<number[]> => {
    const { status, body, data } = await list(query);
    expect([query, status]).toEqual([query, 200]);
    expect([query, body.meta.total]).toEqual([query, data.length]);
    return data.map(({ id }: { id: number }) => id);
  };
  const errorsOf = async (query: string): Promise<string[]> => {
    const { status, body } = await list(query);
    expect([query, status, body.error, body.code]).toEqual([query, 422, 'ValidationError', 422]);
    return Object.keys(body.errors as object).sort();
  };

  it('returns the payload and the response of each attempt', async () => {
    const payload = { event: 'email.sent', workspace_id: webhook.workspace_id, data: { z: 1, a: [1.5, 'é', null] } };
    const [id] = await given({ payload, response: 'thank you', created_at: at(2, '08:30:00.123') });
    const { body } = await list();
    expect(body.data).toEqual([
      {
        id,
        event: 'email.sent',
        payload,
        status_code: 200,
        response: 'thank you',
        success: true,
        created_at: at(2, '08:30:00.123'),
        delivery_id: expect.stringMatching(UUID),
        attempt: 1,
      },
    ]);
    expect(JSON.stringify(body.data[0].payload)).toBe(JSON.stringify(payload));
    expect(body.data[0].created_at).toMatch(TIMESTAMP);
  });

  it('returns an empty page for a new webhook', async () => {
    const url = `http://outreach.test/v1/webhooks/${webhook.id}/logs?page=1`;
    expect((await list()).body).toEqual({
      data: [],
      links: { first: url, last: url, prev: null, next: null },
      meta: { current_page: 1, last_page: 1, per_page: 15, total: 0, count: 0 },
    });
  });

  it('returns payloads of up to 64 KB, and of longer ones only the ID of the record', async () => {
    const bodyOf = (size: number) => {
      const around = JSON.stringify({ event: 'contact.created', workspace_id: 1, data: { id: 7, note: '' } });
      const note = 'x'.repeat(size - around.length);
      return { event: 'contact.created', workspace_id: 1, data: { id: 7, note } };
    };
    await given(
      { payload: bodyOf(65_536) },
      { event: 'contact.created', payload: bodyOf(65_537) },
      { payload: { ...bodyOf(70_000), data: 'x'.repeat(70_000) } },
    );
    const { data } = await list('direction=asc');
    expect(data[0].payload).toEqual(bodyOf(65_536));
    const short = { workspace_id: webhook.workspace_id, truncated: true };
    expect(data[1].payload).toEqual({ event: 'contact.created', data: { id: 7 }, ...short });
    expect(data[2].payload).toEqual({ event: 'email.sent', data: {}, ...short });
  });

  it('returns the logs of this webhook only, and 404 for a webhook of another workspace', async () => {
    const other = await newWebhook(api);
    const otherClient = await service.client();
    const [own] = await given({});
    await givenLogs(service.database, other, [log()]);
    await givenLogs(service.database, await newWebhook(otherClient), [log()]);
    expect(await ids('')).toEqual([own]);
    expect((await otherClient.get(`/webhooks/${webhook.id}/logs`)).status).toBe(404);
    expect((await otherClient.get(`/webhooks/${webhook.id}/logs?page=x`)).status).toBe(404);
  });

  it('returns the logs of the last 30 days', async () => {
    const [, oldest, today] = await given(
      { created_at: at(31, '23:59:59.999') },
      { created_at: at(30, '00:00:00.000') },
      { created_at: NOW.toISOString() },
    );
    expect(await ids('')).toEqual([today, oldest]);
    expect(await ids(`created_from=${day(40)}`)).toEqual([today, oldest]);
    expect(await ids(`created_to=${day(31)}`)).toEqual([]);
  });

  it('filters by days in UTC, both included', async () => {
    const [early, first, last, late] = await given(
      { created_at: at(6, '23:59:59.999') },
      { created_at: at(5, '00:00:00.000') },
      { created_at: at(3, '23:59:59.999') },
      { created_at: at(2, '00:00:00.000') },
    );
    expect(await ids(`created_from=${day(5)}&created_to=${day(3)}`)).toEqual([last, first]);
    expect(await ids(`created_from=${day(3)}`)).toEqual([late, last]);
    expect(await ids(`created_to=${day(5)}`)).toEqual([first, early]);
    expect(await ids(`created_from=${day(5)}&created_to=${day(5)}`)).toEqual([first]);
    expect(await ids(`created_from=${day(3)}&created_to=${day(5)}`)).toEqual([]);
    expect(await ids('created_from=0001-01-01&created_to=9999-12-31')).toHaveLength(4);
    expect(await ids('created_from=9999-12-31')).toEqual([]);
  });

  it('filters by success and status_code', async () => {
    const [ok, dripped, failed, unreached] = await given(
      {},
      { success: false },
      { success: false, status_code: 500 },
      { success: false, status_code: 0 },
    );
    expect(await ids('success=1')).toEqual([ok]);
    expect(await ids('success=0')).toEqual([unreached, failed, dripped]);
    expect(await ids('status_code=200')).toEqual([dripped, ok]);
    expect(await ids('status_code=0')).toEqual([unreached]);
    expect(await ids('status_code=599')).toEqual([]);
    expect(await ids('status_code=200&success=0')).toEqual([dripped]);
    expect(await ids('status_code=500&success=1')).toEqual([]);
  });

  it('searches the name of the event by terms, and no other field', async () => {
    const payload = { event: 'email.sent', workspace_id: 1, data: { note: 'needle clicked' } };
    const [sent, clicked, created, tested] = await given(
      { payload, response: 'needle clicked' },
      { event: 'email.clicked' },
      { event: 'contact.created' },
      { event: 'webhook.test' },
    );
    expect(await ids('search=email')).toEqual([clicked, sent]);
    expect(await ids('search=CLICK')).toEqual([clicked]);
    expect(await ids('search=ed+.c')).toEqual([created, clicked]);
    expect(await ids('search=email%20contact')).toEqual([]);
    expect(await ids('search=needle')).toEqual([]);
    expect(await ids('search=thank')).toEqual([]);
    expect(await ids('search=%25')).toEqual([]);
    expect(await ids('search=email_sent')).toEqual([]);
    expect(await ids('search=test')).toEqual([tested]);
    expect(await ids(`search=${'email+'.repeat(6)}contact`)).toEqual([clicked, sent]);
    expect(await ids('search=')).toHaveLength(4);
    expect(await ids('search=%20')).toHaveLength(4);
  });

  it('sorts logs of the same time by ID, in the same direction', async () => {
    const made = await given({}, {}, {}, { event: 'email.clicked' });
    expect(await ids('')).toEqual([...made].reverse());
    expect(await ids('direction=asc')).toEqual(made);
    expect(await ids('sort=event&direction=asc')).toEqual([made[3], made[0], made[1], made[2]]);
    expect(await ids('sort=event')).toEqual([made[2], made[1], made[0], made[3]]);
  });

  it.each([
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['success=true', 'success'],
    ['success=', 'success'],
    ['status_code=600', 'status_code'],
    ['status_code=-1', 'status_code'],
    ['status_code=2xx', 'status_code'],
    ['status_code=', 'status_code'],
    ['status_code=200&status_code=201', 'status_code'],
    ['created_from=2026-02-30', 'created_from'],
    ['created_from=2025-02-29', 'created_from'],
    ['created_from=2026-13-01', 'created_from'],
    ['created_from=2026-00-10', 'created_from'],
    ['created_from=0000-01-01', 'created_from'],
    ['created_from=26-01-01', 'created_from'],
    ['created_from=2026-1-1', 'created_from'],
    ['created_from=2026-01-01T00:00:00Z', 'created_from'],
    ['created_from=01.02.2026', 'created_from'],
    ['created_from=', 'created_from'],
    ['created_to=tomorrow', 'created_to'],
    ['created_to=2026-01-01&created_to=2026-01-02', 'created_to'],
    ['sort=response', 'sort'],
    ['sort=id', 'sort'],
    ['direction=DESC', 'direction'],
    ['search=a&search=b', 'search'],
  ])('returns 422 for ?%s', async (query, field) => {
    expect(await errorsOf(query)).toEqual([field]);
  });

  it('accepts leap days, and pages far after the end', async () => {
    expect(await ids('created_from=2024-02-29')).toEqual([]);
    await given({});
    const { body } = await list('page=9007199254740991&per_page=100&success=1');
    expect(body).toMatchObject({ data: [], meta: { total: 1, count: 0, last_page: 1 } });
    expect(body.links.prev).toContain('per_page=100&success=1&page=1');
  });

  describe('with logs of many days', () => {
    const EVENTS = ['email.sent', 'email.opened', 'contact.created'];
    const STATUSES = [0, 200, 500];
    let all: ListedLog[];
    beforeEach(async () => {
      // Days with many logs, with few and with none; some logs are at the start or the end of their day.
      const logs = Array.from({ length: 150 }, (_, n) => {
        const ago = [0, 1, 1, 2, 5, 6, 7, 7, 7, 12, 29, 30][(n * 7) % 12] ?? 0;
        const time = ago === 0 ? '00:00:00.000' : `${n % 3 ? '00:00:00.0' : '23:59:59.9'}${10 + (n % 7)}`;
        const status = STATUSES[(n * 7) % 5] ?? 404;
        return log({
          event: EVENTS[(n * 5) % 4] ?? 'webhook.test',
          status_code: status,
          success: status === 200,
          created_at: at(ago, time),
        });
      }).sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
      const made = await given(...logs);
      all = logs.map((each, index) => ({ ...each, id: made[index] ?? 0 }));
    });

    /** Filters and sorts all logs as the contract defines. */
    const expected = (query: Query): ListedLog[] => {
      const sign = query.direction === 'asc' ? 1 : -1;
      const rank = (each: ListedLog) => (query.sort === 'success' ? Number(each.success) : each[query.sort]);
      return all
        .filter(
          (each) =>
            each.event.includes(query.search ?? '') &&
            (query.success === undefined || each.success === (query.success === 1)) &&
            (query.status_code === undefined || each.status_code === query.status_code) &&
            (query.created_from === undefined || each.created_at.slice(0, 10) >= query.created_from) &&
            (query.created_to === undefined || each.created_at.slice(0, 10) <= query.created_to),
        )
        .sort((a, b) => sign * (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : a.id - b.id));
    };

    interface Query {
      readonly page: number;
      readonly per_page: number;
      readonly sort: 'created_at' | 'event' | 'status_code' | 'success';
      readonly direction: 'asc' | 'desc';
      readonly search?: string;
      readonly success?: number;
      readonly status_code?: number;
      readonly created_from?: string;
      readonly created_to?: string;
    }
    const queries = fc.record(
      {
        page: fc.integer({ min: 1, max: 12 }),
        per_page: fc.constantFrom(1, 2, 7, 15, 40, 100),
        sort: fc.constantFrom('created_at' as const, 'event' as const, 'status_code' as const, 'success' as const),
        direction: fc.constantFrom('asc' as const, 'desc' as const),
        search: fc.constantFrom('email', '.', 'created', 'test', 'nothing'),
        success: fc.constantFrom(0, 1),
        status_code: fc.constantFrom(0, 200, 404, 500),
        created_from: fc.nat(32).map(day),
        created_to: fc.nat(32).map(day),
      },
      { requiredKeys: ['page', 'per_page', 'sort', 'direction'] },
    );

    it('returns the same page as filtering and sorting all logs', async () => {
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const { body } = await list(
            Object.entries(query)
              .map(([name, value]) => `${name}=${value}`)
              .join('&'),
          );
          const found = expected(query);
          const from = (query.page - 1) * query.per_page;
          expect(body.meta.total).toBe(found.length);
          expect(body.data.map(({ id }: ListedLog) => id)).toEqual(
            found.slice(from, from + query.per_page).map(({ id }) => id),
          );
        }),
        { numRuns: 250 },
      );
    });

    it('returns each log on exactly one page', async () => {
      for (const sort of ['created_at', 'event', 'status_code', 'success']) {
        const seen: number[] = [];
        for (let page = 1; page <= 11; page++) {
          const { data } = await list(`sort=${sort}&page=${page}&per_page=14`);
          seen.push(...data.map(({ id }: ListedLog) => id));
        }
        expect(seen.length).toBe(all.length);
        expect(new Set(seen).size).toBe(all.length);
      }
    });
  });

  describe('POST …/{log}/redeliver', () => {
    const again = (id: number | string, logId: number | string, client = api) =>
      client.post(`/webhooks/${id}/logs/${logId}/redeliver`);
    const waiting = () =>
      service.database.query<{ delivery_id: string; event_created_at: Date }>(
        `SELECT delivery.*, event.payload::text AS body, event.event FROM webhook_deliveries delivery
         JOIN webhook_events event ON event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id
           AND event.created_at = delivery.event_created_at
         WHERE delivery.webhook_id = $1 ORDER BY delivery.id`,
        [webhook.id],
      );

    it('creates a new delivery of the same bytes each time', async () => {
      const payload = { event: 'email.sent', workspace_id: 1, data: { b: 1, a: '<é>' } };
      const [id] = await given({ payload, created_at: at(20) });
      const { status, body } = await again(webhook.id, id ?? 0);
      expect(status).toBe(202);
      expect(body).toEqual({ data: { delivery_id: expect.stringMatching(UUID) } });
      const other = await again(webhook.id, id ?? 0);
      expect(other.data.delivery_id).not.toBe(body.data.delivery_id);
      const deliveries = await waiting();
      expect(deliveries.map((each) => each.delivery_id)).toEqual([body.data.delivery_id, other.data.delivery_id]);
      for (const each of deliveries) {
        expect(each).toMatchObject({ event: 'email.sent', body: JSON.stringify(payload), forced: true, attempts: 0 });
        expect(each.event_created_at.toISOString().slice(0, 10)).toBe(day(0));
      }
      expect(await ids('')).toEqual([id]);
    });

    it('works for an inactive webhook, which changes only in what waits', async () => {
      await api.put(`/webhooks/${webhook.id}`, { is_active: false });
      const before = (await api.get(`/webhooks/${webhook.id}`)).data;
      const [id] = await given({ event: 'webhook.test', success: false, status_code: 0 });
      expect((await again(webhook.id, id ?? 0)).status).toBe(202);
      expect(await waiting()).toHaveLength(1);
      const waits = { pending_count: 1, next_attempt_at: expect.any(String) };
      expect((await api.get(`/webhooks/${webhook.id}`)).data).toEqual({ ...before, ...waits });
    });

    it('returns 404 for logs of other webhooks or workspaces, and for logs older than 30 days', async () => {
      const other = await newWebhook(api);
      const otherClient = await service.client();
      const [own, old] = await given({}, { created_at: at(31) });
      const cases: [number | string, number | string, ApiClient][] = [
        [other.id, own ?? 0, api],
        [webhook.id, own ?? 0, otherClient],
        [webhook.id, old ?? 0, api],
        [webhook.id, 0, api],
        [webhook.id, 'last', api],
        [webhook.id, '9007199254740992', api],
        [webhook.id, 987_654_321, api],
        [987_654_321, own ?? 0, api],
      ];
      for (const [id, logId, client] of cases) {
        const { status, body } = await again(id, logId, client);
        expect([id, logId, status, body.error]).toEqual([id, logId, 404, 'HttpError']);
      }
      expect(await waiting()).toEqual([]);
    });

    it('with a repeated Idempotency-Key creates one delivery', async () => {
      const [id] = await given({});
      const path = `/webhooks/${webhook.id}/logs/${id}/redeliver`;
      const [one, two] = [
        await api.post(path, undefined, { 'idempotency-key': 'k' }),
        await api.post(path, undefined, { 'idempotency-key': 'k' }),
      ];
      expect([two.status, two.body]).toEqual([202, one.body]);
      expect(await waiting()).toHaveLength(1);
    });
  });
});
