import pg from 'pg';
import { ApiClient } from '../support/api-client.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { emptyQueues, redisSettings } from '../support/test-redis.js';
import { violatedInvariants } from '../support/webhook-invariants.js';
import { type Hook, FAST_RETRIES, WebhookFixture } from '../support/webhook-fixture.js';
import { passTime } from '../support/webhook-time.js';

const HOUR = 3600;

/** With the shortest possible pauses: attempts at once, then after 4, 24, 96, 240, 720 and 1,440 s. */
const MAX_ATTEMPTS_PER_HOUR = 7;

describe('webhooks lose no events', () => {
  let database: TestDatabase;
  let route: BreakableProxy;
  let service: TestService;
  let fixture: WebhookFixture;

  /** The way to the queues: to Redis where they are in one, for the API too. */
  let routed: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { REDIS_URL: redis } = redisSettings(database);
    route = await BreakableProxy.to(redis ?? database.url);
    routed = redis ? { REDIS_URL: route.urlThrough(redis) } : { DATABASE_URL: route.urlThrough(database.url) };
    service = await startService(redis ? routed : {}, database);
  });
  afterAll(async () => {
    await service.stop();
    await route.stop();
    await database.drop();
  });
  beforeEach(async () => {
    fixture = await WebhookFixture.start(service);
  });
  afterEach(() => fixture.clear());

  const arrived = (hook: Hook, count: number): void => expect(new Set(fixture.arrivals(hook)).size).toBe(count);
  const gateBlocks = (gate: RequestGate): Promise<void> => eventually(() => expect(gate.waiting).toBeGreaterThan(0));

  /** Ends leases while it waits: a webhook whose run has failed is leased again after its lease expires. */
  const arrivedAfterAll = (hook: Hook, count: number): Promise<void> =>
    eventually(() => fixture.endLeases().then(() => arrived(hook, count)));

  /** What is asked of every outage when it is over. */
  async function everythingArrived(hook: Hook, events: number): Promise<void> {
    await fixture.waitUntilIdle();
    arrived(hook, events);
    expect((await fixture.logs(hook)).filter(({ success }) => success)).toHaveLength(events);
    expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0, is_active: true });
    expect(await violatedInvariants(database)).toEqual([]);
    expect(await fixture.stopWorkers()).toEqual([0, 0]);
  }

  it('if the database repeatedly closes all connections', async () => {
    const gate = new RequestGate(Infinity, 5);
    const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
    await fixture.runWorkers(2);
    await fixture.contacts(300);
    for (let n = 1; n <= 4; n++) {
      await eventually(async () => {
        await fixture.endLeases();
        expect(fixture.arrivals(hook).length).toBeGreaterThan(n * 50);
      });
      await database.disconnectAll();
    }
    await arrivedAfterAll(hook, 300);
    await everythingArrived(hook, 300);
  });

  it('if all jobs are deleted from the queues', async () => {
    const gate = new RequestGate(0);
    const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
    await fixture.runWorkers(2);
    await fixture.contacts(200);
    for (let n = 0; n < 3; n++) {
      gate.open(30);
      await gateBlocks(gate);
      await emptyQueues(database);
    }
    gate.open();
    await fixture.contacts(50);
    await everythingArrived(hook, 250);
  });

  it('if the queues are unreachable for some time', async () => {
    const gate = new RequestGate(40);
    const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
    await fixture.runWorkers(2, { ...FAST_RETRIES, ...routed });
    await fixture.contacts(100);
    await gateBlocks(gate);
    route.break();
    gate.open();
    await fixture.contacts(100);
    await eventually(() => expect(route.refusedConnections).toBeGreaterThan(20));
    route.restore();
    await arrivedAfterAll(hook, 200);
    await everythingArrived(hook, 200);
  });

  it('if the receiver is down for an hour, and make at most seven attempts in that time', async () => {
    const hook = await fixture.subscribe('contact.created');
    const way = await BreakableProxy.to(fixture.receiver.url());
    await fixture.api.put(`/webhooks/${hook.id}`, { url: way.urlThrough(fixture.receiver.url(hook.path)) });
    await fixture.runWorkers(2, {});
    way.break();
    await fixture.contacts(50);
    let failures = 0;
    for (let passed = 0; passed < HOUR; failures++) {
      await eventually(async () => expect((await fixture.webhook(hook)).failure_count).toBe(failures + 1));
      const pause = await secondsOfPause(hook);
      passed += pause;
      // First, because the next attempt is made as soon as its time has come.
      if (passed >= HOUR) way.restore();
      await passTime(database, pause);
    }
    expect(failures).toBeLessThanOrEqual(MAX_ATTEMPTS_PER_HOUR);
    await passTime(database, HOUR);
    await everythingArrived(hook, 50);
    expect(await fixture.logs(hook)).toHaveLength(50 + failures);
    await way.stop();
  });

  async function secondsOfPause({ id }: Hook): Promise<number> {
    const [row] = await database.query<{ seconds: number }>(
      'SELECT ceil(extract(epoch FROM paused_until - now()))::float8 AS seconds FROM webhooks WHERE id = $1',
      [id],
    );
    return row?.seconds ?? 0;
  }

  it('of a large import, and have none of an import whose process was killed', async () => {
    const events = 20_000;
    const hook = await fixture.subscribe('contact.created');
    const otherWorkspace = await WebhookFixture.start(service);
    const otherHook = await otherWorkspace.subscribe('contact.created');
    await killedInTheMiddleOf((api) => fixture.import(events, api));
    expect(await rowsOf('contacts')).toBe(0);
    expect(await rowsOf('webhook_events')).toBe(0);
    await fixture.contacts(events);
    expect(await rowsOf('contacts')).toBe(events);
    expect(await rowsOf('webhook_deliveries')).toBe(events);
    await fixture.runWorkers(2);
    await eventually(() => expect(fixture.arrivals(hook).length).toBeGreaterThan(events / 100));
    await fixture.stopWorkers();
    const done = fixture.arrivals(hook).length;
    expect(await fixture.logs(hook)).toHaveLength(done);
    expect(await rowsOf('webhook_deliveries')).toBe(events - done);
    expect(await violatedInvariants(database)).toEqual([]);
    expect(otherWorkspace.arrivals(otherHook)).toEqual([]);
    await otherWorkspace.clear();
  });

  async function rowsOf(table: string): Promise<number> {
    const [row] = await database.query<{ count: string }>(`SELECT count(*) FROM ${table} WHERE workspace_id = $1`, [
      fixture.api.workspaceId,
    ]);
    return Number(row?.count);
  }

  /** Has a process do something that raises events, and kills it when some are written. */
  async function killedInTheMiddleOf(work: (api: ApiClient) => Promise<unknown>): Promise<void> {
    const process = await ServiceProcess.startApi(service, { LOG_LEVEL: 'silent', ...redisSettings(database) });
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE webhook_deliveries IN SHARE MODE');
    const result = work(new ApiClient(process.url, fixture.api.token, fixture.api.workspaceId)).then(
      () => 'done',
      () => 'interrupted',
    );
    await eventually(async () => expect(await backends(`wait_event_type = 'Lock'`)).toBe(1));
    await process.kill();
    await lock.query('COMMIT');
    await lock.end();
    expect(await result).toBe('interrupted');
    await eventually(async () => expect(await backends(`state <> 'idle'`)).toBe(0));
  }

  /** Returns the number of database connections of the service that match a condition. */
  async function backends(condition: string): Promise<number> {
    const rows = await database.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'outreach' AND ${condition}`,
    );
    return rows.length;
  }
});
