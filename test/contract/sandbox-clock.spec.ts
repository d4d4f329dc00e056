import { IdempotencyStore } from '../../src/platform/idempotency/index.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService, useSharedService } from '../support/service.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MAX_SECONDS = 400 * DAY_SECONDS;
const PATH = '/sandbox/clock';

interface Clock {
  readonly now: string;
  readonly is_settled: boolean;
}

const read = async (api: ApiClient): Promise<Clock> => (await api.get(PATH)).data;
const advance = async (api: ApiClient, body: object): Promise<Clock> => (await api.post(PATH, body)).data;

/** Between readings in the process and in the database, which have their own precision. */
const PRECISION_SECONDS = 1;

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000;
const later = (time: string, seconds: number): string => new Date(Date.parse(time) + seconds * 1_000).toISOString();

/** Returns a function that expects a period to be at most that which has passed in real time since this call. */
function sinceNow(): (seconds: number) => void {
  const begun = Date.now();
  return (seconds) => expect(seconds).toBeLessThanOrEqual((Date.now() - begun) / 1_000 + PRECISION_SECONDS);
}

describe('the clock of a sandbox', () => {
  const service = useSharedService();

  it('shows the real time until it is put forward, and runs on from there', async () => {
    const api = await service.sandbox();
    const begun = new Date().toISOString();
    const expectRealTime = sinceNow();
    const first = await read(api);
    expect(first.is_settled).toBe(true);
    expect(secondsBetween(begun, first.now)).toBeGreaterThan(-PRECISION_SECONDS);
    expectRealTime(secondsBetween(begun, first.now));
    const response = await api.post(PATH, { advance_seconds: DAY_SECONDS });
    expect(response).toMatchObject({ status: 200, body: { data: { now: expect.any(String), is_settled: true } } });
    expect(secondsBetween(first.now, response.data.now)).toBeGreaterThanOrEqual(DAY_SECONDS);
    const again = await eventually(async () => {
      const clock = await read(api);
      expect(secondsBetween(response.data.now, clock.now)).toBeGreaterThan(0);
      return clock;
    });
    expectRealTime(secondsBetween(response.data.now, again.now));
  });

  it('is put forward to an instant with any offset, and gives its time to what is created then', async () => {
    const api = await service.sandbox();
    const expectRealTime = sinceNow();
    const to = later((await read(api)).now, 40 * DAY_SECONDS);
    const withOffset = later(to, 2 * HOUR_SECONDS).replace('Z', '+02:00');
    const { now } = await advance(api, { to: withOffset });
    expect(secondsBetween(to, now)).toBeGreaterThanOrEqual(0);
    expectRealTime(secondsBetween(to, now));
    const { data: tag } = await api.post('/tags', { name: 'Late' });
    expect(secondsBetween(now, tag.created_at)).toBeGreaterThanOrEqual(0);
    const other = await service.sandbox();
    expect(
      secondsBetween((await other.post('/tags', { name: 'Now' })).data.created_at, tag.created_at),
    ).toBeGreaterThan(39 * DAY_SECONDS);
  });

  it.each([
    ['neither input', () => ({}), ['advance_seconds', 'to']],
    ['both inputs', (now: string) => ({ advance_seconds: 1, to: later(now, 60) }), ['advance_seconds', 'to']],
    ['a negative number', () => ({ advance_seconds: -1 }), ['advance_seconds']],
    ['a part of a second', () => ({ advance_seconds: 0.5 }), ['advance_seconds']],
    ['a text', () => ({ advance_seconds: '60' }), ['advance_seconds']],
    ['more than 400 days', () => ({ advance_seconds: MAX_SECONDS + 1 }), ['advance_seconds']],
    ['an instant of the past', (now: string) => ({ to: later(now, -60) }), ['to']],
    ['an instant in more than 400 days', (now: string) => ({ to: later(now, MAX_SECONDS + 60) }), ['to']],
    ['an instant without an offset', () => ({ to: '2030-01-01T00:00:00' }), ['to']],
    ['a day that does not exist', () => ({ to: '2030-02-30T00:00:00Z' }), ['to']],
    ['an unknown field', () => ({ advance_seconds: 1, seconds: 1 }), ['seconds']],
  ])('refuses %s', async (_what, body, fields) => {
    const api = await service.sandbox();
    const expectRealTime = sinceNow();
    const before = await read(api);
    const response = await api.post(PATH, body(before.now));
    expect([response.status, Object.keys(response.body.errors ?? {}).sort()]).toEqual([422, fields]);
    expectRealTime(secondsBetween(before.now, (await read(api)).now));
  });

  it('can be put forward by 400 days, again and again', async () => {
    const api = await service.sandbox();
    const { now } = await read(api);
    await advance(api, { advance_seconds: MAX_SECONDS });
    const second = await advance(api, { to: later(now, 2 * MAX_SECONDS) });
    expect(secondsBetween(now, second.now)).toBeGreaterThanOrEqual(2 * MAX_SECONDS);
    await service.database.query(
      'UPDATE sandbox_clocks SET ahead_ms = ahead_ms + 6800 * 366::bigint * 86400000 WHERE id = $1',
      [api.workspaceId],
    );
    for (let n = 0; n < 10; n += 1) {
      const { status, body } = await api.post(PATH, { advance_seconds: MAX_SECONDS });
      if (status === 200) continue;
      expect([status, Object.keys(body.errors)]).toEqual([422, ['advance_seconds']]);
    }
    expect((await read(api)).now).toMatch(/^[89]\d{3}-/);
  });

  it('does not exist in other workspaces, whatever the input', async () => {
    const api = await service.client();
    expect([(await api.get(PATH)).status, (await api.post(PATH, { to: 'never' })).status]).toEqual([404, 404]);
    expect((await api.post(PATH, { advance_seconds: 60 })).status).toBe(404);
    const limited = await service.client(['contacts:read']);
    expect([(await limited.get(PATH)).status, (await limited.get('/sandbox/messages')).status]).toEqual([404, 404]);
    const nobody = new ApiClient(api.url, 'out_nobody', api.workspaceId);
    expect((await nobody.get(PATH)).status).toBe(401);
  });

  it('needs the permissions of campaigns', async () => {
    const reader = await service.sandbox(['campaigns:read']);
    const writer = await service.sandbox(['campaigns:write']);
    expect([(await reader.get(PATH)).status, (await reader.post(PATH, { advance_seconds: 0 })).status]).toEqual([
      200, 403,
    ]);
    expect([(await writer.get(PATH)).status, (await writer.post(PATH, { advance_seconds: 0 })).status]).toEqual([
      403, 200,
    ]);
  });

  it('ends tokens by its time', async () => {
    const api = await service.sandbox();
    const ends = later((await read(api)).now, DAY_SECONDS);
    const { data } = await api.post('/tokens', { name: 'short', permissions: ['campaigns:read'], expires_at: ends });
    const short = new ApiClient(api.url, data.token, api.workspaceId);
    expect((await short.get(PATH)).status).toBe(200);
    await advance(api, { advance_seconds: DAY_SECONDS });
    expect((await short.get(PATH)).status).toBe(401);
    const over = await api.post('/tokens', { name: 'over', permissions: ['campaigns:read'], expires_at: ends });
    expect([over.status, Object.keys(over.body.errors)]).toEqual([422, ['expires_at']]);
  });

  it('shows the use of a token by its time', async () => {
    const api = await service.sandbox();
    const { now } = await advance(api, { advance_seconds: 40 * DAY_SECONDS });
    await eventually(async () => {
      const [{ last_used_at: usedAt }] = (await api.get('/tokens')).data;
      expect(secondsBetween(now, String(usedAt))).toBeGreaterThanOrEqual(0);
      expect(secondsBetween(String(usedAt), (await read(api)).now)).toBeGreaterThanOrEqual(0);
    });
  });

  it('decides for how long the response to an Idempotency-Key is repeated', async () => {
    const api = await service.sandbox();
    const key = { 'idempotency-key': 'once' };
    const create = () => api.post('/tokens', { name: 'made once', permissions: ['campaigns:read'] }, key);
    const { data: first } = await create();
    await advance(api, { advance_seconds: 23 * HOUR_SECONDS });
    expect((await create()).data.id).toBe(first.id);
    await advance(api, { advance_seconds: 2 * HOUR_SECONDS });
    const { data: second, headers } = await create();
    expect([second.id === first.id, headers.get('idempotency-replayed')]).toEqual([false, null]);
    expect((await create()).data.id).toBe(second.id);
  });

  it('decides when responses to an Idempotency-Key are deleted, but no request that is running, and no other workspace', async () => {
    const [api, other] = [await service.sandbox(), await service.client()];
    const create = (client: ApiClient, key: string) =>
      client.post('/tokens', { name: 'made once', permissions: ['campaigns:read'] }, { 'idempotency-key': key });
    for (const client of [api, other]) await create(client, 'done');
    await create(api, 'running');
    await service.database.query(
      `UPDATE idempotency_keys SET reserved_until = now() + interval '1 hour' WHERE workspace_id = $1 AND key = 'running'`,
      [api.workspaceId],
    );
    const deleteExpired = async () => {
      await service.app.get(IdempotencyStore, { strict: false }).deleteExpired();
      return service.database.query(
        'SELECT workspace_id::int, key FROM idempotency_keys WHERE workspace_id = ANY($1::bigint[]) ORDER BY 1, 2',
        [[api.workspaceId, other.workspaceId]],
      );
    };
    await advance(api, { advance_seconds: 23 * HOUR_SECONDS });
    expect(await deleteExpired()).toHaveLength(3);
    await advance(api, { advance_seconds: 2 * HOUR_SECONDS });
    expect(await deleteExpired()).toEqual([
      { workspace_id: api.workspaceId, key: 'running' },
      { workspace_id: other.workspaceId, key: 'done' },
    ]);
  });

  it('is put forward by 25 hours once by a request with an Idempotency-Key that is repeated', async () => {
    const api = await service.sandbox();
    const { now } = await read(api);
    const body = { advance_seconds: 25 * HOUR_SECONDS };
    const responses = [
      await api.post(PATH, body, { 'idempotency-key': 'forward' }),
      await api.post(PATH, body, { 'idempotency-key': 'forward' }),
    ];
    expect(responses[1]?.body).toEqual(responses[0]?.body);
    expect(Math.floor(secondsBetween(now, (await read(api)).now) / HOUR_SECONDS)).toBe(25);
  });

  it('adds up what concurrent requests ask for, and reaches an instant once', async () => {
    const api = await service.sandbox();
    const { now } = await read(api);
    const clocks = await Promise.all(Array.from({ length: 5 }, () => advance(api, { advance_seconds: HOUR_SECONDS })));
    const hours = clocks.map((clock) => Math.floor(secondsBetween(now, clock.now) / HOUR_SECONDS));
    expect(hours.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(Math.floor(secondsBetween(now, (await read(api)).now) / HOUR_SECONDS)).toBe(5);
    const to = later(now, 10 * HOUR_SECONDS);
    await Promise.all(Array.from({ length: 5 }, () => advance(api, { to })));
    expect(Math.floor(secondsBetween(now, (await read(api)).now) / HOUR_SECONDS)).toBe(10);
  });
});

describe('the clock of a sandbox without a worker', () => {
  const service = useService();

  it('is not settled after 30 seconds, and goes on when a worker has started', async () => {
    const sink = await MailSink.start();
    const api = await service.sandbox();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const contact = await given.contact();
    const step = { subject: 'Hello', body: '<p>Hello</p>' };
    const campaign = await given.running([contact.id], { steps: [step, { ...step, delay_minutes: 24 * 60 }] });
    const before = await read(api);
    expect(before.is_settled).toBe(false);
    // A request waits for up to 30 seconds of the process.
    const now = performance.now.bind(performance);
    const quickTime = jest.spyOn(performance, 'now').mockImplementation(() => 1_000 * now());
    const waiting = await advance(api, { advance_seconds: 2 * DAY_SECONDS });
    quickTime.mockRestore();
    expect(waiting.is_settled).toBe(false);
    expect(secondsBetween(before.now, waiting.now)).toBeLessThan(HOUR_SECONDS);
    await service.startWorker();
    await eventually(async () => expect(await read(api)).toMatchObject({ is_settled: true }));
    expect(secondsBetween(before.now, (await read(api)).now)).toBeGreaterThanOrEqual(2 * DAY_SECONDS);
    expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'completed' });
    await sink.stop();
  });
});
