import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { DailyPartitions } from '@outreach/database';
import { WebhookRetention } from '../../src/webhooks/retention/webhook-retention.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually, TIME_FACTOR } from '../support/eventually.js';
import { givenLogs } from '../support/given-logs.js';
import { useService } from '../support/service.js';

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3600;
/** Longer than the tests of this file take. */
const MAX_DURATION_MS = 60_000 * TIME_FACTOR;
const UNREACHABLE_URL = 'https://192.0.2.1/hook';
const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const partitionOf = (table: string, daysAgo: number): string => `${table}_${dayOf(daysAgo).replaceAll('-', '')}`;

describe('WebhookRetention', () => {
  const service = useService({ EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,192.0.2.0/24' });
  let worker: INestApplicationContext;
  let api: ApiClient;

  beforeAll(async () => {
    // What is today stays so until the end.
    await eventually(() => expect(Date.now() % DAY_MS).toBeLessThan(DAY_MS - MAX_DURATION_MS));
    // Prevents the worker from running the task by itself.
    await service.database.query(
      `INSERT INTO scheduled_tasks (name, next_run_at) VALUES ('remove-expired-webhook-records', 'infinity')`,
    );
    worker = await service.startWorker();
    api = await service.client();
  });

  const removeExpired = (): Promise<void> => worker.get(WebhookRetention, { strict: false }).removeExpired();
  const partitions = async (table: string): Promise<string[]> => {
    const rows = await service.database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const webhook = async (fields: object = {}): Promise<number> => {
    const { body } = await api.post('/webhooks', { url: UNREACHABLE_URL, events: ['contact.created'], ...fields });
    return body.data.id;
  };

  /** Inserts a log of an event and an attempt so many days ago. */
  const logged = (id: number, daysAgo: number) =>
    givenLogs(service.database, { workspace_id: api.workspaceId, id }, [
      { event: 'contact.created', status_code: 200, success: true, created_at: `${dayOf(daysAgo)}T12:00:00Z` },
    ]);
  async function delivery(webhookId: number, hoursAgo: number): Promise<void> {
    await service.database.query(
      `WITH event AS (
         INSERT INTO webhook_events (workspace_id, event, payload) VALUES ($1, 'contact.created', '{"data":{}}') RETURNING *)
       INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id, created_at,
         next_attempt_at)
       SELECT $1, $2, id, created_at, gen_random_uuid(), now() - make_interval(secs => $3), 'infinity' FROM event`,
      [api.workspaceId, webhookId, hoursAgo * HOUR_SECONDS],
    );
  }
  const waiting = (webhookId: number) =>
    service.database.query('SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [webhookId]);
  const daysLogged = async (): Promise<string[]> => {
    const rows = await service.database.query<{ day: string }>(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM webhook_logs ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  };

  it('creates the partitions of today and the next seven days when a worker starts, once for all workers', async () => {
    await service.startWorker();
    for (const table of ['webhook_logs', 'webhook_events', 'event_batches']) {
      const days = Array.from({ length: 8 }, (_, ahead) => partitionOf(table, -ahead));
      expect(await partitions(table)).toEqual([...days, `${table}_default`].sort());
    }
  });

  it('deletes logs after 30 days together with their counts, also those in the default partition', async () => {
    const id = await webhook();
    const made = worker.get(DailyPartitions, { strict: false });
    await made.extend('webhook_logs', new Date(Date.now() - 33 * DAY_MS), 0);
    for (const daysAgo of [33, 32, 31, 30, 0]) await logged(id, daysAgo);
    await removeExpired();
    expect(await partitions('webhook_logs')).not.toContain(partitionOf('webhook_logs', 33));
    expect(await daysLogged()).toEqual([dayOf(30), dayOf(0)]);
    const counts = await service.database.query('SELECT day FROM webhook_log_counts WHERE webhook_id = $1', [id]);
    expect(counts).toHaveLength(2);
    expect((await api.get(`/webhooks/${id}/logs`)).body.meta.total).toBe(2);
  });

  it('creates the partition of a day whose rows are in the default partition, and moves them there', async () => {
    const id = await webhook();
    const day = dayOf(-8);
    await givenLogs(service.database, { workspace_id: api.workspaceId, id }, [
      { event: 'contact.created', status_code: 200, success: true, created_at: `${day}T12:00:00Z` },
    ]);
    const rows = async (table: string) =>
      (
        await service.database.query<{ place: string }>(
          `SELECT tableoid::regclass::text AS place FROM ${table} WHERE created_at::date = $1 AND workspace_id = $2`,
          [day, api.workspaceId],
        )
      )
        // On several nodes the table is a shard, whose number has six digits.
        .map(({ place }) => place.replace(/_\d{6}$/, ''));
    const tables = ['webhook_logs', 'webhook_events'];
    for (const table of tables) {
      expect(await rows(table)).toEqual([`${table}_default`]);
      const created = await worker.get(DailyPartitions, { strict: false }).extend(table, new Date(), 8);
      expect(created).toEqual([partitionOf(table, -8)]);
      expect(await rows(table)).toEqual([partitionOf(table, -8)]);
    }
  });

  it('deletes what is too old by the clock of its workspace', async () => {
    const own = await service.client();
    const { data: other } = await own.post('/webhooks', { url: UNREACHABLE_URL, events: ['contact.created'] });
    const hooks = [
      { workspace_id: own.workspaceId, id: other.id },
      { workspace_id: api.workspaceId, id: await webhook() },
    ];
    for (const hook of hooks)
      await givenLogs(service.database, hook, [
        { event: 'contact.created', status_code: 200, success: true, created_at: `${dayOf(0)}T00:00:00Z` },
      ]);
    const counts = () =>
      Promise.all(
        hooks.map(async ({ id }) => {
          return (await service.database.query('SELECT 1 FROM webhook_logs WHERE webhook_id = $1', [id])).length;
        }),
      );
    service.clocks.advance(own.workspaceId, { days: 28 });
    await removeExpired();
    expect(await counts()).toEqual([1, 1]);
    service.clocks.advance(own.workspaceId, { days: 3 });
    await removeExpired();
    expect(await counts()).toEqual([0, 1]);
  });

  it('deletes the events to read after EVENT_RETENTION_DAYS, and never uses their IDs again', async () => {
    const made = worker.get(DailyPartitions, { strict: false });
    await made.extend('event_batches', new Date(Date.now() - 9 * DAY_MS), 1);
    for (const daysAgo of [9, 8, 7]) {
      await service.database.query(
        `INSERT INTO event_batches (workspace_id, event, size, data, created_at) VALUES ($1, 'email.sent', 1, '[{}]', $2)`,
        [api.workspaceId, `${dayOf(daysAgo)}T12:00:00Z`],
      );
    }
    const ids = async (): Promise<number[]> =>
      (await api.get('/events?event=email.sent')).data.map(({ id }: { id: number }) => id);
    const before = await ids();
    expect(before).toHaveLength(3);
    await removeExpired();
    expect(await partitions('event_batches')).not.toContain(partitionOf('event_batches', 9));
    expect(await ids()).toEqual(before.slice(2));
  });

  it('keeps the event of a log for as long as the log', async () => {
    const id = await webhook();
    await logged(id, 59);
    await logged(id, 61);
    await removeExpired();
    const rows = await service.database.query<{ day: string }>(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM webhook_events ORDER BY 1`,
    );
    expect(rows.map(({ day }) => day)).toContain(dayOf(59));
    expect(rows.map(({ day }) => day)).not.toContain(dayOf(61));
  });

  it('skips a partition that is locked by a reader, without waiting, and drops it in the next run', async () => {
    const id = await webhook();
    const made = worker.get(DailyPartitions, { strict: false });
    await made.extend('webhook_logs', new Date(Date.now() - 40 * DAY_MS), 0);
    await logged(id, 40);
    const name = partitionOf('webhook_logs', 40);
    const reader = new pg.Client({ connectionString: service.database.url });
    await reader.connect();
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT count(*) FROM webhook_logs');
      await removeExpired();
      expect(await partitions('webhook_logs')).toContain(name);
    } finally {
      await reader.end();
    }
    await removeExpired();
    expect(await partitions('webhook_logs')).not.toContain(name);
  });

  it('drops and logs deliveries that have waited 28 hours for an inactive webhook, but none of an active webhook', async () => {
    const [active, inactive] = [await webhook(), await webhook({ is_active: false })];
    for (const id of [active, inactive]) for (const hours of [27, 29]) await delivery(id, hours);
    await removeExpired();
    expect(await waiting(active)).toHaveLength(2);
    expect(await waiting(inactive)).toHaveLength(1);
    expect((await api.get(`/webhooks/${inactive}/logs`)).data).toEqual([
      expect.objectContaining({ status_code: 0, success: false, response: 'dropped' }),
    ]);
  });
});
