import pg from 'pg';
import { activityStatement } from '../../src/activity/activity.queries.js';
import { ACTIVITY_TYPES } from '../../src/activity/activity-types.js';
import { encodedContacts } from '../../src/contacts/encoded-contacts.queries.js';
import { DueCallbacks } from '../../src/inbound/events/due-callbacks.cross-tenant.js';
import { allInRealTime, Database, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { eventsStatement } from '../../src/webhooks/feed/read-events.queries.js';
import { Given } from '../support/given.js';
import { planCost } from '../support/plan-cost.js';
import { useService } from '../support/service.js';

/** The plans of statements of requests. Each has a database of its own: what the planner knows is not of other specs. */

describe('the activity of a contact among many', () => {
  const service = useService();

  it('reads each table by an index, whatever other contacts have', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    const ids = await given.contacts(2_000, 'many');
    const campaign = await given.campaign();
    await service.database.query(
      `WITH enrolled AS (
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status)
         SELECT $1, $2, id, 'completed' FROM unnest($3::bigint[]) id RETURNING *)
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, status, sent_at)
       SELECT workspace_id, campaign_id, id, contact_id, 'sent', now() FROM enrolled CROSS JOIN generate_series(1, 5)`,
      [api.workspaceId, campaign.id, ids],
    );
    await service.database.query(
      `WITH requests AS (
         INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification)
         SELECT workspace_id, id, enrollment_id, 'open', 'counted' FROM messages WHERE workspace_id = $1),
       answers AS (
         INSERT INTO replies (workspace_id, campaign_id, enrollment_id, contact_id, answered_id, dedup_hash, from_address, subject, text,
           classification, is_automatic, received_at)
         SELECT workspace_id, campaign_id, enrollment_id, contact_id, id, sha256(id::text::bytea), 'a@example.com', '', '', 'reply', FALSE, now()
         FROM messages WHERE workspace_id = $1),
       moves AS (
         INSERT INTO enrollment_changes (workspace_id, enrollment_id, kind)
         SELECT workspace_id, id, 'skipped' FROM enrollments, generate_series(1, 3) WHERE workspace_id = $1)
       INSERT INTO contact_changes (workspace_id, contact_id, field, old_value, new_value, source)
       SELECT workspace_id, id, 'status', 'active', 'bounced', 'mail' FROM contacts, generate_series(1, 3) WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    const tables = [
      'contacts',
      'contact_changes',
      'enrollments',
      'enrollment_changes',
      'messages',
      'replies',
      'tracking_events',
    ];
    await service.database.query(`ANALYZE ${tables.join(', ')}`);
    // Created, enrolled, moved and changed three times each; five messages, each opened and replied to.
    expect((await api.get(`/contacts/${ids[0]}/activity?per_page=100`)).data).toHaveLength(23);
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const filter = { types: ACTIVITY_TYPES, conditions: [] };
    const statement = activityStatement(scope, ids[0] ?? 0, filter, { direction: 'desc', limit: 25, offset: 0 });
    const [row] = await scope.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      sql`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`,
    );
    const scans = scansOf(row?.['QUERY PLAN'][0]?.Plan);
    expect([...new Set(scans.map((scan) => scan['Relation Name']))].sort()).toEqual(tables.sort());
    expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
    // What an index has found of others, and a filter has removed.
    expect(scans.map((scan) => scan['Rows Removed by Filter'] ?? 0).filter((removed) => removed > 23)).toEqual([]);
  });
});

describe('the events of a workspace that has many', () => {
  const service = useService();

  it('are found by an index, whatever their number, also those of a rare name', async () => {
    const api = await service.client();
    const events = async (query: string): Promise<number[]> =>
      (await api.get(`/events?${query}`)).data.map(({ id }: { id: number }) => id);
    await service.database.query(
      `INSERT INTO event_batches (workspace_id, event, size, data, first_id)
       SELECT $1, CASE WHEN n % 50000 = 0 THEN 'campaign.started' ELSE 'email.sent' END, 10,
         '[{},{},{},{},{},{},{},{},{},{}]', n * 10 + 1 FROM generate_series(0, 299999) n`,
      [api.workspaceId],
    );
    await service.database.query(`INSERT INTO event_feeds (workspace_id, last_id) VALUES ($1, 3000000)`, [
      api.workspaceId,
    ]);
    // As if no other name were in the sample of ANALYZE.
    await service.database.query('ALTER TABLE event_batches_default ALTER COLUMN event SET (n_distinct = 1)');
    await service.database.query('ANALYZE event_batches');
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    for (const range of [
      { after: 0, limit: 100 },
      { after: 2_900_005, limit: 100 },
      { after: 1_000, limit: 100, names: ['campaign.started', 'email.bounced', 'email.sent'] },
      { after: 0, limit: 1_000, names: ['campaign.started'] },
    ]) {
      const [row] = await scope.query<{ 'QUERY PLAN': unknown }>(
        sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${eventsStatement(scope, range)}`,
      );
      const plan = JSON.stringify(row);
      expect(plan).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":"event_batches_default"/);
      expect(Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1])).toBeLessThan(3_000);
    }
    expect(await events('event=campaign.started&limit=1000')).toHaveLength(60);
    expect(await events('after=2900005&limit=3')).toEqual([2_900_006, 2_900_007, 2_900_008]);
  });
});

describe('the events of many contacts', () => {
  const service = useService();

  it('are found by the primary key, also if the statistics say that there are no contacts', async () => {
    const api = await service.client();
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO contacts (workspace_id, email, created_at)
       SELECT $1, 'n' || n || '@example.com', now() - n * interval '1 minute' FROM generate_series(1, 10000) n RETURNING id`,
      [api.workspaceId],
    );
    await service.database.query('ANALYZE contacts');
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const ids = rows.slice(5_000, 6_000).map(({ id }) => Number(id));
    for await (const statement of encodedContacts(scope, sql`SELECT unnest(${ids}::bigint[])`)) {
      const { text, values } = statement.toQuery();
      const explained = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
      const plan = JSON.stringify(explained.rows[0]);
      expect(plan).toContain('"Actual Rows":1000');
      expect(Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1])).toBeLessThan(10_000);
    }
    await client.query('ROLLBACK');
    await client.end();
    await service.database.query('ANALYZE contacts');
  });
});

describe('events of a provider that cannot be recorded', () => {
  const service = useService();

  it('are not read by the search for what is due before their next attempts', async () => {
    const failed = 10_000;
    const api = await service.client();
    await service.database.query(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, attempts, next_attempt_at)
       SELECT $1, 'sendgrid', '[]', 1, now(), 1, 'infinity' FROM generate_series(1, $2)`,
      [api.workspaceId, failed],
    );
    await service.database.query('ANALYZE provider_callbacks');
    const search = service.app.get(DueCallbacks, { strict: false }).workspaces(allInRealTime);
    const { rows, scanned } = await planCost(service.database, search, ['provider_callbacks']);
    expect([rows < failed / 10, scanned]).toEqual([true, []]);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of a plan that read a table. */
function scansOf(node: PlanNode | undefined): PlanNode[] {
  if (!node) return [];
  const inner = (node.Plans ?? []).flatMap(scansOf);
  return node['Relation Name'] === undefined ? inner : [node, ...inner];
}
