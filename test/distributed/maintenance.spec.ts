import { DailyPartitions } from '@outreach/database';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { WorkspaceDeletion } from '../../src/app/workspace-deletion/workspace-deletion.js';
import { Keyring } from '../../src/platform/crypto/index.js';
import { CounterCache, Database } from '../../src/platform/database/index.js';
import { CommandRunner } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const OLD = 'a key that only tests use';
const NEW = 'the second key of these tests';
const [OLD_ID] = new Keyring([OLD]).ids;
const WORKSPACES = 4;
const DAY_MS = 86_400_000;
const DAYS = 10;
/** The first number on a node, and by how many times a number on the last of a thousand nodes is larger. */
const [FIRST_ON_NODES, MAX_NODES] = [2 ** 43, 2 ** 10];

describe('maintenance of a distributed database', () => {
  const commands = new CommandRunner();
  afterAll(() => commands.stop());
  const service = useService();
  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    service.database.query<Row>(text, values);

  it('lets several processes create and drop the partitions of the same days at the same time', async () => {
    const sources = await Promise.all(
      [1, 2, 3].map(() => new DataSource(dataSourceOptions(service.database.url, 2)).initialize()),
    );
    const partitions = sources.map((source) => new DailyPartitions(new Database(source)));
    const today = new Date();
    const stored = async () =>
      (await query(`SELECT 1 FROM pg_inherits WHERE inhparent = 'webhook_logs'::regclass`)).length;
    await Promise.all(partitions.map((one) => one.extend('webhook_logs', today, DAYS - 1)));
    expect(await stored()).toBe(DAYS + 1);
    const later = new Date(today.getTime() + DAYS * DAY_MS);
    await Promise.all(partitions.map((one) => one.dropBefore('webhook_logs', later)));
    expect(await stored()).toBe(1);
    await Promise.all(sources.map((source) => source.destroy()));
  });

  it('moves the rows of a day from the default partition to its own', async () => {
    const { workspaceId, post } = await service.client();
    const { data: webhook } = await post('/webhooks', { url: 'https://example.com/hook', events: ['contact.created'] });
    await query(
      `INSERT INTO webhook_logs (workspace_id, webhook_id, event, event_id, event_created_at, delivery_id, attempt, status_code,
         success, response) VALUES ($1, $2, 'contact.created', 1, now(), gen_random_uuid(), 1, 200, TRUE, '')`,
      [workspaceId, webhook.id],
    );
    const source = service.app.get(DataSource, { strict: false });
    const [name] = await new DailyPartitions(new Database(source)).extend('webhook_logs', new Date(), 0);
    expect(name).toMatch(/^webhook_logs_\d{8}$/);
    expect(await query(`SELECT 1 FROM ${name} WHERE workspace_id = $1`, [workspaceId])).toHaveLength(1);
    expect(await query('SELECT 1 FROM webhook_logs_default')).toEqual([]);
  });

  it('merges the counters of all workspaces', async () => {
    const clients = await Promise.all(Array.from({ length: WORKSPACES }, () => service.client()));
    for (const api of clients) {
      const given = new Given(api, service.database);
      await given.contacts(3, 'a');
      await given.contacts(4, 'b');
    }
    await new CounterCache(service.app.get(Database)).merge();
    expect(await query('SELECT 1 FROM record_counts WHERE NOT is_merged')).toEqual([]);
    for (const api of clients) expect((await api.get('/contacts')).body.meta.total).toBe(7);
  });

  it('numbers the rows that triggers write on nodes so that the numbers are exact here', async () => {
    const { workspaceId, post } = await service.client();
    await post('/contacts', { email: 'ada@example.com' });
    const rows = await query<{ id: string }>('SELECT id FROM record_counts WHERE workspace_id = $1', [workspaceId]);
    const ids = rows.map(({ id }) => Number(id));
    expect(new Set(ids).size).toBe(rows.length);
    for (const id of ids) expect(id / FIRST_ON_NODES).toBeGreaterThanOrEqual(1);
    for (const id of ids) expect(id / FIRST_ON_NODES).toBeLessThan(MAX_NODES);
  });

  it('deletes what is left of deleted workspaces, and nothing of others', async () => {
    const api = await service.client();
    await api.post('/lists', { name: 'Stays' });
    const deleted = api.workspaceId + 1_000;
    await query(`INSERT INTO lists (workspace_id, name) VALUES ($1, 'Goes')`, [deleted]);
    await new WorkspaceDeletion(service.app.get(Database)).deleteRemainders();
    const left = await query(
      `SELECT workspace_id::int AS id FROM lists WHERE workspace_id IN ($1, $2)
       UNION ALL SELECT workspace_id::int FROM record_counts WHERE workspace_id = $2`,
      [api.workspaceId, deleted],
    );
    expect(left).toEqual([{ id: api.workspaceId }]);
  });

  it('encrypts the values of all workspaces anew', async () => {
    for (let n = 0; n < WORKSPACES; n += 1) {
      const api = await service.client();
      await api.post('/webhooks', { url: 'https://example.com/hook', events: ['email.sent'] });
      await api.post('/tags', { name: 'x' }, { 'idempotency-key': `k${n}` });
    }
    const env = { DATABASE_URL: service.database.url, ENCRYPTION_KEY: `${NEW},${OLD}` };
    const rotated = await commands.run(['keys', 'rotate', '--json'], env);
    expect(rotated.code).toBe(0);
    const { encrypted } = JSON.parse(rotated.stdout);
    expect(encrypted).toBeGreaterThanOrEqual(2 * WORKSPACES);
    const old = await query(
      `SELECT secret FROM webhooks WHERE starts_with(secret, $1)
       UNION ALL SELECT response FROM idempotency_keys WHERE starts_with(response, $1)`,
      [Keyring.prefixOf(OLD_ID)],
    );
    expect(old).toEqual([]);
    const examined = await commands.run(['doctor', '--json'], { ...env, ENCRYPTION_KEY: NEW });
    const { checks } = JSON.parse(examined.stdout) as { checks: { check: string; status: string }[] };
    expect(checks.filter(({ check, status }) => check === 'keys' && status !== 'ok')).toEqual([]);
    await commands.run(['keys', 'rotate', '--json'], { ...env, ENCRYPTION_KEY: `${OLD},${NEW}` });
  });

  it('runs every scheduled task and every poll of a worker without an error', async () => {
    const given = new Given(await service.client(), service.database);
    await given.sentMessage((await given.contacts(1))[0] ?? 0);
    const worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'warn' });
    const isDue = `next_run_at <= now()`;
    await query(`UPDATE scheduled_tasks SET next_run_at = now() - interval '1 day'`);
    await eventually(async () => {
      const [row] = await query<{ tasks: number; waiting: number }>(
        `SELECT count(*)::int AS tasks, count(*) FILTER (WHERE ${isDue})::int AS waiting FROM scheduled_tasks`,
      );
      expect(row?.tasks).toBeGreaterThan(10);
      expect(row?.waiting).toBeLessThan(row?.tasks ?? 0);
    });
    // What runs once a second has run several times when this one has.
    await query(`UPDATE scheduled_tasks SET next_run_at = now() - interval '1 day' WHERE name = 'refresh-statistics'`);
    await eventually(async () =>
      expect(await query(`SELECT 1 FROM scheduled_tasks WHERE name = 'refresh-statistics' AND ${isDue}`)).toEqual([]),
    );
    expect(await worker.stop()).toBe(0);
    expect(worker.errorOutput).toBe('');
  });
});
