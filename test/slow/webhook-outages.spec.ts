import pg from 'pg';
import { ApiClient } from '../support/api-client.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess, type WorkerProcesses } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { emptyQueues, redisSettings } from '../support/test-redis.js';
import { violatedInvariants } from '../support/webhook-invariants.js';
import { deliveringWorkers, FAST_RETRIES, type Hook, WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

describe('webhooks lose no events', () => {
  trustReceivers();
  let database: TestDatabase;
  let route: BreakableProxy;
  let service: TestService;
  let workers: WorkerProcesses;
  let fixture: WebhookFixture;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { REDIS_URL: redis } = redisSettings(database);
    route = await BreakableProxy.to(redis ?? database.url);
    /** The way to the queues: to Redis where they are in one. */
    const routed: Record<string, string> = redis
      ? { REDIS_URL: route.urlThrough(redis) }
      : { QUEUE_DATABASE_URL: route.urlThrough(database.url) };
    service = await startService({ ...FAST_RETRIES, LOG_LEVEL: 'silent', ...routed }, database);
    workers = deliveringWorkers(service, { ...FAST_RETRIES, ...routed });
  });
  afterAll(async () => {
    // A worker that has survived all outages still stops as it should.
    const codes = await workers.stop();
    await service.stop();
    await route.stop();
    await database.drop();
    expect(codes).toEqual([0]);
  });
  beforeEach(async () => {
    fixture = await WebhookFixture.start(service, workers);
  });
  afterEach(() => fixture.clear());

  it('of a large import, and have none of an import whose process was killed', async () => {
    const events = 5_000;
    const hook = await fixture.subscribe('contact.created');
    const otherWorkspace = await WebhookFixture.start(service, workers);
    const otherHook = await otherWorkspace.subscribe('contact.created');
    await killedInTheMiddleOf((api) => fixture.import(events, api));
    expect(await rowsOf('contacts')).toBe(0);
    expect(await rowsOf('webhook_events')).toBe(0);
    await fixture.contacts(events);
    expect(await rowsOf('contacts')).toBe(events);
    expect(await rowsOf('webhook_deliveries')).toBe(events);
    await fixture.runWorkers(1);
    await eventually(() => expect(fixture.arrivals(hook).length).toBeGreaterThan(events / 100));
    expect(await fixture.stopWorkers()).toEqual([0]);
    const delivered = (await fixture.logs(hook)).filter(({ success }) => success).length;
    expect(new Set(fixture.arrivals(hook)).size).toBeGreaterThanOrEqual(delivered);
    expect(await fixture.unloggedArrivals(hook)).toBe(0);
    expect(await rowsOf('webhook_deliveries')).toBe(events - delivered);
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

  /** From here on a worker in this process and one in a process of its own work side by side. */
  describe('that two workers deliver', () => {
    beforeAll(async () => {
      await service.startWorker();
      await workers.run(1);
    });

    /** Ends leases while it waits: a webhook whose run has failed is leased again after its lease expires. */
    const isBlocked = (gate: RequestGate): Promise<void> =>
      eventually(() => fixture.endLeases().then(() => expect(gate.waiting).toBeGreaterThan(0)));

    /** What is asked of every outage when it is over. */
    async function everythingArrives(hook: Hook, events: number): Promise<void> {
      await eventually(() => fixture.endLeases().then(() => fixture.expectNoneWaiting()));
      expect(new Set(fixture.arrivals(hook)).size).toBe(events);
      expect((await fixture.logs(hook)).filter(({ success }) => success)).toHaveLength(events);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0, is_active: true });
      expect(await violatedInvariants(database)).toEqual([]);
    }

    it('if the database repeatedly closes all connections', async () => {
      const [events, outages] = [150, 4];
      const gate = new RequestGate(0);
      const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
      await fixture.contacts(events);
      for (let n = 1; n <= outages; n++) {
        gate.open(events / (outages + 1));
        await isBlocked(gate);
        await database.disconnectAll();
      }
      gate.open();
      await everythingArrives(hook, events);
    });

    it('if all jobs are deleted from the queues', async () => {
      const gate = new RequestGate(0);
      const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
      await fixture.contacts(100);
      for (let n = 0; n < 3; n++) {
        gate.open(15);
        await isBlocked(gate);
        await emptyQueues(database);
      }
      gate.open();
      await fixture.contacts(50);
      await everythingArrives(hook, 150);
    });

    it('if the queues are unreachable for some time', async () => {
      const gate = new RequestGate(20);
      const hook = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
      await fixture.contacts(50);
      await isBlocked(gate);
      route.break();
      gate.open();
      await fixture.contacts(50);
      await eventually(() => expect(route.refusedConnections).toBeGreaterThan(20));
      route.restore();
      await everythingArrives(hook, 100);
    });
  });
});
