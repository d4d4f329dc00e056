import { allInRealTime, Database, type Sql, sql } from '../../src/platform/database/index.js';
import { dueAccounts, dueCampaigns } from '../../src/sending/due-work.cross-tenant.js';
import { SandboxClocks } from '../../src/sandbox/index.js';
import type { ApiClient } from '../support/api-client.js';
import { planCost } from '../support/plan-cost.js';
import { useService } from '../support/service.js';

const CAMPAIGNS = 2_000;
const TABLES = ['campaigns', 'due_steps', 'email_accounts', 'sandbox_clocks'];
/** More than a few probes of indexes read. */
const MAX_BLOCKS = 100;

describe('statements about all workspaces', () => {
  const service = useService();
  let clocks: SandboxClocks;
  let database: Database;
  let real: ApiClient;
  let sandbox: ApiClient;

  beforeAll(async () => {
    [real, sandbox] = [await service.client(), await service.sandbox()];
    clocks = new SandboxClocks();
    database = service.app.get(Database).withClocks(clocks);
    const insert = (workspaceId: number, count: number) =>
      service.database.query(
        `WITH campaign AS (
           INSERT INTO campaigns (workspace_id, name, status)
           SELECT $1, 'Campaign ' || n, 'active' FROM generate_series(1, $2::int) n RETURNING id
         )
         INSERT INTO email_accounts (workspace_id, type, name, from_email, from_name, is_default)
         SELECT $1, 'sendgrid', 'Account', 'sales@sender.example', 'Sales', FALSE FROM campaign LIMIT 1`,
        [workspaceId, count],
      );
    await insert(real.workspaceId, CAMPAIGNS);
    await insert(sandbox.workspaceId, 1);
    await service.database.query('ANALYZE campaigns, email_accounts');
  });

  const polls = (): Sql[] => [dueCampaigns(allInRealTime), dueAccounts(allInRealTime)];

  it('have the text now() while no clock is ahead, and their polls of real workspaces afterwards, too', async () => {
    const before = polls().map((poll) => poll.toQuery());
    expect(database.nowOf(sql`campaign.workspace_id`).toQuery()).toEqual({ text: 'now()', values: [] });
    expect(database.workspacesAhead).toBeUndefined();
    await sandbox.post('/sandbox/clock', { advance_seconds: 86_400 });
    await database.refreshClocks();
    expect(database.workspacesAhead).toBeDefined();
    expect(polls().map((poll) => poll.toQuery())).toEqual(before);
    for (const { text } of before) expect(text).not.toContain('sandbox');
  });

  it('read for a clock that is ahead the rows of its workspace alone', async () => {
    await sandbox.post('/sandbox/clock', { advance_seconds: 86_400 });
    await database.refreshClocks();
    const ahead = database.workspacesAhead;
    if (!ahead) throw new Error('A clock is ahead.');
    for (const poll of [dueCampaigns(ahead), dueAccounts(ahead)]) {
      const { rows, blocks } = await planCost(service.database, poll, TABLES);
      expect(rows).toBeLessThan(10);
      expect(blocks).toBeLessThan(MAX_BLOCKS);
    }
  });

  it('know the time of each workspace', async () => {
    await sandbox.post('/sandbox/clock', { advance_seconds: 86_400 });
    await database.refreshClocks();
    const ids = [real.workspaceId, sandbox.workspaceId];
    const hours = await database.query<{ hours: number }>(
      sql`SELECT round(extract(epoch FROM ${database.nowOf(sql`workspace_id`)} - ${sql.realNow}) / 3600)::int AS hours
          FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS asked (workspace_id, position) ORDER BY position`,
    );
    expect(hours[0]).toEqual({ hours: 0 });
    expect(hours[1]?.hours).toBeGreaterThanOrEqual(24);
  });

  it('cost a real workspace one statement in the life of a process', async () => {
    const known = new SandboxClocks();
    await known.refresh(database, real.workspaceId);
    expect(known.refresh(database, real.workspaceId)).toBeUndefined();
    expect(known.clockOf(real.workspaceId).sqlNow()).toBe(sql.realNow);
    expect(known.refresh(database, sandbox.workspaceId)).toBeInstanceOf(Promise);
  });
});
