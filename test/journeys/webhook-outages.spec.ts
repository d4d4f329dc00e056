import pg from 'pg';
import { ApiClient } from '../support/api-client.js';
import { BreakableRoute } from '../support/breakable-route.js';
import { freePort, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { RequestGate } from '../support/request-gate.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { emptyQueues, redisSettings } from '../support/test-redis.js';
import { faultsInBooks } from '../support/webhook-books.js';
import { type Hook, IMPATIENT, WebhookStage } from '../support/webhook-stage.js';
import { passTime } from '../support/webhook-time.js';

const HOUR = 3600;
const PATIENCE_SECONDS = 60;

/** With the pauses of the schedule, each a fifth shorter: at once, then after 4, 24, 96, 240, 720 and 1,440 s. */
const MOST_ATTEMPTS_IN_AN_HOUR = 7;

describe('webhooks lose nothing', () => {
  let database: TestDatabase;
  let route: BreakableRoute;
  let service: TestService;
  let stage: WebhookStage;

  /** The way to the queues: to Redis where they are in one, for the API too. */
  let routed: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { REDIS_URL: redis } = redisSettings(database);
    route = await BreakableRoute.to(redis ?? database.url);
    routed = redis ? { REDIS_URL: route.leading(redis) } : { DATABASE_URL: route.leading(database.url) };
    service = await startService(redis ? routed : {}, database);
  });
  afterAll(async () => {
    await service.stop();
    await route.stop();
    await database.drop();
  });
  beforeEach(async () => {
    stage = await WebhookStage.set(service);
  });
  afterEach(() => stage.clear());

  const arrived = (hook: Hook, count: number): void => expect(new Set(stage.arrivals(hook)).size).toBe(count);
  const held = (gate: RequestGate): Promise<void> =>
    eventually(() => expect(gate.waiting).toBeGreaterThan(0), PATIENCE_SECONDS);

  /** A lane whose work broke off is taken up again when its lease is over. */
  const arrivedAfterAll = (hook: Hook, count: number): Promise<void> =>
    eventually(() => stage.endLeases().then(() => arrived(hook, count)), PATIENCE_SECONDS);

  /** What is asked of every outage when it is over. */
  async function allIsWell(hook: Hook, events: number): Promise<void> {
    await stage.nothingWaits();
    arrived(hook, events);
    expect((await stage.logs(hook)).filter(({ success }) => success)).toHaveLength(events);
    expect(await stage.webhook(hook)).toMatchObject({ failure_count: 0, is_active: true });
    expect(await faultsInBooks(database)).toEqual([]);
    expect(await stage.stopWorkers()).toEqual([0, 0]);
  }

  it('when the database ends all connections, again and again', async () => {
    const gate = new RequestGate(Infinity, 5);
    const hook = await stage.subscribe('contact.created', () => ({ wait: gate.pass }));
    await stage.startWorkers(2);
    await stage.contacts(300);
    for (let n = 1; n <= 4; n++) {
      await eventually(() => expect(stage.arrivals(hook).length).toBeGreaterThan(n * 50), PATIENCE_SECONDS);
      await database.disconnectAll();
      await stage.endLeases();
    }
    await arrivedAfterAll(hook, 300);
    await allIsWell(hook, 300);
  }, 120_000);

  it('when the queues are emptied', async () => {
    const gate = new RequestGate(0);
    const hook = await stage.subscribe('contact.created', () => ({ wait: gate.pass }));
    await stage.startWorkers(2);
    await stage.contacts(200);
    for (let n = 0; n < 3; n++) {
      gate.open(30);
      await held(gate);
      await emptyQueues(database);
    }
    gate.open();
    await stage.contacts(50);
    await allIsWell(hook, 250);
  }, 120_000);

  it('when there is no way to the queues for a while', async () => {
    const gate = new RequestGate(40);
    const hook = await stage.subscribe('contact.created', () => ({ wait: gate.pass }));
    await stage.startWorkers(2, { ...IMPATIENT, ...routed });
    await stage.contacts(100);
    await held(gate);
    route.break();
    gate.open();
    await stage.contacts(100);
    await eventually(() => expect(route.refused).toBeGreaterThan(20));
    route.mend();
    await arrivedAfterAll(hook, 200);
    await allIsWell(hook, 200);
  }, 120_000);

  it('when the receiver is down for an hour, in which it is tried a few times', async () => {
    const hook = await stage.subscribe('contact.created');
    const way = await BreakableRoute.to(stage.receiver.url());
    await stage.api.put(`/webhooks/${hook.id}`, { url: way.leading(stage.receiver.url(hook.path)) });
    await stage.startWorkers(2, {});
    way.break();
    await stage.contacts(50);
    let failures = 0;
    for (let passed = 0; passed < HOUR; failures++) {
      await eventually(async () => expect((await stage.webhook(hook)).failure_count).toBe(failures + 1));
      const pause = await secondsOfPause(hook);
      await passTime(database, pause);
      passed += pause;
    }
    expect(failures).toBeLessThanOrEqual(MOST_ATTEMPTS_IN_AN_HOUR);
    way.mend();
    await passTime(database, HOUR);
    await allIsWell(hook, 50);
    expect(await stage.logs(hook)).toHaveLength(50 + failures);
    await way.stop();
  }, 120_000);

  async function secondsOfPause({ id }: Hook): Promise<number> {
    const [row] = await database.query<{ seconds: number }>(
      'SELECT ceil(extract(epoch FROM paused_until - now()))::float8 AS seconds FROM webhooks WHERE id = $1',
      [id],
    );
    return row?.seconds ?? 0;
  }

  it('of a large import, and tell nothing of one whose process was killed', async () => {
    const events = 20_000;
    const hook = await stage.subscribe('contact.created');
    const strangers = await WebhookStage.set(service);
    const strange = await strangers.subscribe('contact.created');
    await killedInTheMiddleOf((api) => stage.import(events, api));
    expect(await rowsOf('contacts')).toBe(0);
    expect(await rowsOf('webhook_events')).toBe(0);
    await stage.contacts(events);
    expect(await rowsOf('contacts')).toBe(events);
    expect(await rowsOf('webhook_deliveries')).toBe(events);
    await stage.startWorkers(2);
    await eventually(() => expect(stage.arrivals(hook).length).toBeGreaterThan(events / 100), PATIENCE_SECONDS);
    await stage.stopWorkers();
    const done = stage.arrivals(hook).length;
    expect(await stage.logs(hook)).toHaveLength(done);
    expect(await rowsOf('webhook_deliveries')).toBe(events - done);
    expect(await faultsInBooks(database)).toEqual([]);
    expect(strangers.arrivals(strange)).toEqual([]);
    await strangers.clear();
  }, 180_000);

  async function rowsOf(table: string): Promise<number> {
    const [row] = await database.query<{ count: string }>(`SELECT count(*) FROM ${table} WHERE workspace_id = $1`, [
      stage.api.workspaceId,
    ]);
    return Number(row?.count);
  }

  /** Has a process do something that raises events, and kills it when some are written. */
  async function killedInTheMiddleOf(work: (api: ApiClient) => Promise<unknown>): Promise<void> {
    const port = await freePort();
    const process = await OutreachProcess.serve({
      PORT: port,
      ROLE: 'api',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: service.config.encryption_key?.join(',') ?? '',
      ...redisSettings(database),
    });
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE webhook_deliveries IN SHARE MODE');
    const outcome = work(new ApiClient(`http://127.0.0.1:${port}`, stage.api.token, stage.api.workspaceId)).then(
      () => 'done',
      () => 'cut off',
    );
    await eventually(async () => expect(await backends(`wait_event_type = 'Lock'`)).toBe(1), PATIENCE_SECONDS);
    process.kill('SIGKILL');
    await process.ended;
    await lock.query('COMMIT');
    await lock.end();
    expect(await outcome).toBe('cut off');
    await eventually(async () => expect(await backends(`state <> 'idle'`)).toBe(0), PATIENCE_SECONDS);
  }

  /** Connections of the service to the database in some state. */
  async function backends(condition: string): Promise<number> {
    const rows = await database.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'outreach' AND ${condition}`,
    );
    return rows.length;
  }
});
