import { inOneStatement } from '@outreach/database';
import { Database, type Sql, Statistics } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { lockSendingAccount, readyToLease } from '../../src/sending/dispatch/claim.queries.js';
import { dueToTake } from '../../src/sending/planning/take-due.queries.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { planCost } from '../support/plan-cost.js';
import { useService } from '../support/service.js';

const WAITING = 20_000;
const BATCH = 500;
/** A batch reads its rows, their indexes and the rows that they refer to. */
const MAX_BLOCKS_OF_ROW = 20;

describe(`a batch of ${BATCH} among ${WAITING}, in queues that the planner takes for empty`, () => {
  const service = useService();
  let scope: WorkspaceScope;
  let campaignId: number;
  let accountId: number;

  /** Its session reports the rows at once; otherwise PostgreSQL counts them up to ten seconds later. */
  const write = (statements: string) => service.database.query(`SELECT pg_stat_force_next_flush(); ${statements}`);
  /** A workspace with an account and a campaign, and its enrollments. */
  const workspace = async (enrollments: number) => {
    const api = await service.client();
    const given = new Given(api, service.database);
    const [account] = await service.database.query<{ id: string }>(
      `INSERT INTO email_accounts (workspace_id, type, name, from_email, from_name, is_default)
       VALUES ($1, 'sendgrid', 'Account', 'sales@sender.example', 'Sales', TRUE) RETURNING id`,
      [api.workspaceId],
    );
    const campaign = await given.campaign({ steps: [{ subject: 'Hi', body: '<p>Hi</p>' }] });
    await service.database.query(
      `WITH contact AS (
         INSERT INTO contacts (workspace_id, email)
         SELECT $1, 'person' || n || '@example.com' FROM generate_series(1, $2::int) n RETURNING id
       )
       INSERT INTO enrollments (workspace_id, campaign_id, contact_id, current_step_id)
       SELECT $1, $3, contact.id, step.id FROM contact
       JOIN campaign_steps step ON step.workspace_id = $1 AND step.campaign_id = $3`,
      [api.workspaceId, enrollments, campaign.id],
    );
    return {
      scope: await WorkspaceScope.open(api.workspaceId, service.app.get(Database)),
      account: Number(account?.id),
      campaign: campaign.id,
    };
  };
  /** @param which LIMIT or OFFSET */
  const queueMessages = (which = '') =>
    write(
      `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, next_attempt_at)
       SELECT workspace_id, campaign_id, id, contact_id, current_step_id, ${accountId}, now() FROM enrollments ORDER BY id ${which}`,
    );
  const fill = async () => {
    await write(
      `INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, due_at)
       SELECT workspace_id, id, campaign_id, now() FROM enrollments`,
    );
    await queueMessages();
  };
  const empty = () => write('DELETE FROM due_steps; DELETE FROM queued_messages');

  beforeAll(async () => {
    // Autovacuum would analyze the tables between two statements of a test, once a minute.
    await service.database.query(
      ['due_steps', 'enrollments', 'queued_messages']
        .map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
        .join(';'),
    );
    ({ scope, account: accountId, campaign: campaignId } = await workspace(WAITING));
    await service.database.query('ANALYZE enrollments, contacts');
    await fill();
    await empty();
    await service.database.query('ANALYZE due_steps, queued_messages');
    await fill();
  });

  const analyze = () => new Statistics(service.app.get(Database)).refresh();
  const due = (): Sql => {
    const account = {
      id: accountId,
      in_rotation: true,
      usable: true,
      capacity: BATCH,
      closed_capacity: BATCH,
      is_leased: false,
    };
    return dueToTake(scope, { id: campaignId, limits: [] }, { senders: [account], rotation: [account] });
  };

  it('takes due steps, and reads each row of the queue once at most', async () => {
    const { rows } = await planCost(service.database, due(), ['due_steps', 'enrollments', 'queued_messages']);
    expect(rows).toBeLessThanOrEqual(WAITING);
  });

  it('leases messages, and reads each of the queue once at most', async () => {
    const { rows } = await scope.transaction(async (tx) => {
      const locked = await lockSendingAccount(tx, accountId);
      if (!locked) throw new Error('The account exists.');
      const { parts, last } = readyToLease(tx, locked, '11111111-1111-4111-8111-111111111111', BATCH);
      return planCost(service.database, inOneStatement(parts, last), ['queued_messages']);
    });
    expect(rows).toBeLessThanOrEqual(WAITING);
  });

  it('takes due steps when the planner knows the size of the queue, and reads the rows of the batch alone', async () => {
    await eventually(async () => expect(await analyze()).toContain('due_steps'));
    const { blocks } = await planCost(service.database, due(), ['due_steps']);
    expect(blocks).toBeLessThan(MAX_BLOCKS_OF_ROW * BATCH);
  });

  it('does not analyze queues that have few rows', async () => {
    await empty();
    await queueMessages('LIMIT 100');
    await eventually(async () => {
      const [counted] = await service.database.query<{ n_live_tup: string; n_mod_since_analyze: string }>(
        `SELECT n_live_tup, n_mod_since_analyze FROM pg_stat_user_tables WHERE relname = 'queued_messages'`,
      );
      expect(Number(counted?.n_live_tup)).toBe(100);
      expect(Number(counted?.n_mod_since_analyze)).toBeGreaterThan(WAITING);
    });
    expect(await analyze()).not.toContain('queued_messages');
    await queueMessages('OFFSET 100');
    await eventually(async () => expect(await analyze()).toContain('queued_messages'));
  });

  it('takes due steps of a workspace that the planner does not know, and reads each row once at most', async () => {
    await empty();
    await fill();
    await service.database.query('ANALYZE due_steps, enrollments');
    const { scope: other, account: id, campaign } = await workspace(WAITING);
    await service.database.query(
      `INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, due_at)
       SELECT workspace_id, id, campaign_id, now() FROM enrollments WHERE campaign_id = $1`,
      [campaign],
    );
    const account = { id, in_rotation: true, usable: true, capacity: BATCH, closed_capacity: BATCH, is_leased: false };
    const statement = dueToTake(other, { id: campaign, limits: [] }, { senders: [account], rotation: [account] });
    const { rows } = await planCost(service.database, statement, ['due_steps', 'enrollments']);
    expect(rows).toBeGreaterThanOrEqual(BATCH);
    expect(rows).toBeLessThanOrEqual(WAITING);
  });
});
