import type { INestApplicationContext } from '@nestjs/common';
import { DeletedCampaigns } from '../../src/campaigns/deletion/deleted-campaigns.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { httpError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

/** More than one transaction deletes. */
const MANY = 2_500;
const TABLES = ['enrollments', 'due_steps', 'queued_messages', 'messages', 'tracking_events', 'replies'];

describe('DELETE /campaigns/{id} of a campaign with many contacts', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let worker: INestApplicationContext;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    // Prevents the worker from running the task by itself.
    await service.database.query(
      `INSERT INTO scheduled_tasks (name, next_run_at) VALUES ('delete-campaigns', 'infinity')`,
    );
    worker = await service.startWorker();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  /** What a worker does at one time, which has an end for other campaigns. */
  const run = (): Promise<void> => worker.get(DeletedCampaigns, { strict: false }).run();
  const runAll = async (): Promise<void> => {
    while ((await execute('SELECT 1 FROM campaigns WHERE workspace_id = $1 AND deleted_at IS NOT NULL')).length > 0)
      await run();
  };
  const execute = (statement: string, ...values: unknown[]) =>
    service.database.query(statement, [api.workspaceId, ...values]);
  const count = async (table: string): Promise<number> => {
    const [row] = await service.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM ${table} WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    return row?.total ?? 0;
  };
  const counts = (): Promise<number[]> => Promise.all(TABLES.map(count));

  /** A campaign with a message that was sent, one that waits, an open and a reply of each contact. */
  async function filled(contacts: readonly number[]) {
    const campaign = await given.campaign();
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts });
    await execute(
      `WITH enrollment AS (SELECT * FROM enrollments WHERE workspace_id = $1 AND campaign_id = $2), sent AS (
         INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, status, sent_at)
         SELECT $1, $2, id, contact_id, 'sent', now() FROM enrollment RETURNING *), waiting AS (
         INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, next_attempt_at)
         SELECT $1, $2, id, contact_id, current_step_id, 'infinity' FROM enrollment), opened AS (
         INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification)
         SELECT $1, id, enrollment_id, 'open', 'counted' FROM sent), counted AS (
         INSERT INTO record_counts (workspace_id, counted, owner_id, total)
         SELECT $1, 'erased_' || counted, owner_id, 1
         FROM (VALUES ('campaign_sent', $2), ('enrollments_failed', $2), ('step_sent', (
           SELECT id FROM campaign_steps WHERE workspace_id = $1 AND campaign_id = $2))) figure (counted, owner_id))
       INSERT INTO replies (workspace_id, campaign_id, enrollment_id, contact_id, answered_id, dedup_hash, from_address,
         subject, text, classification, is_automatic, received_at)
       SELECT $1, $2, enrollment_id, contact_id, id, sha256(id::text::bytea), 'ann@example.com', 'Re', 'Yes', 'interested',
         FALSE, now() FROM sent`,
      campaign.id,
    );
    return campaign;
  }

  it('is gone for users with the response, and workers delete the rest in chunks, with all that belongs to it', async () => {
    const contacts = await given.contacts(MANY);
    const [campaign, other] = [await filled(contacts), await filled(contacts.slice(0, 1))];
    const of = (path: string) => `/campaigns/${campaign.id}${path}`;
    expect((await api.delete(of(''))).status).toBe(204);
    const [left = 0] = await counts();
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(MANY);
    for (const path of ['', '/stats', '/steps', '/contacts', '/messages', `/contacts/${contacts.at(-1)}`])
      expect((await api.get(of(path))).status).toBe(404);
    for (const [path, body] of [['/start'], ['/pause'], ['/contacts', { contact_ids: contacts }]] as const)
      expect((await api.post(of(path), body)).body).toEqual(httpError(404));
    expect((await api.put(of(''), { name: 'New' })).body).toEqual(httpError(404));
    expect((await api.delete(of(''))).body).toEqual(httpError(404));
    expect((await api.get('/campaigns')).data).toMatchObject([{ id: other.id }]);
    expect((await api.get(`/replies?campaign_id=${campaign.id}`)).body.errors).toEqual({
      campaign_id: ['No such campaign.'],
    });

    await runAll();
    expect(await counts()).toEqual(TABLES.map(() => 1));
    expect(await count('campaigns')).toBe(1);
    const figures = await execute(
      `SELECT DISTINCT owner_id::int AS id FROM record_counts
       WHERE workspace_id = $1 AND counted LIKE 'erased%' AND counted NOT LIKE '%step%'`,
    );
    expect(figures).toEqual([{ id: other.id }]);
    expect((await api.get(`/campaigns/${other.id}/stats`)).data.messages).toMatchObject({ sent: 2 });
  });

  it('goes on after a transaction that has failed, and what was completed is not started again', async () => {
    const campaign = await filled(await given.contacts(MANY));
    await execute(`UPDATE campaigns SET status = 'completed' WHERE workspace_id = $1`);
    await api.delete(`/campaigns/${campaign.id}`);
    expect(await execute('SELECT status FROM campaigns WHERE workspace_id = $1')).toEqual([{ status: 'paused' }]);
    const trigger = `CREATE TRIGGER die BEFORE DELETE ON campaigns FOR EACH ROW EXECUTE FUNCTION die()`;
    await service.database.query(
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'died'; END $$`,
    );
    await service.database.query(trigger);
    await run();
    await service.database.query('DROP TRIGGER die ON campaigns');
    expect((await counts())[0]).toBeGreaterThan(0);
    await runAll();
    expect([...(await counts()), await count('campaigns')]).toEqual(Array(TABLES.length + 1).fill(0));
  });

  it('is gone at once if it has few contacts, without a worker', async () => {
    const campaign = await filled(await given.contacts(2));
    expect((await api.delete(`/campaigns/${campaign.id}`)).status).toBe(204);
    expect([...(await counts()), await count('campaigns')]).toEqual(Array(TABLES.length + 1).fill(0));
  });
});

describe('tables that mostly get new rows', () => {
  const service = useService();

  it('are vacuumed after one percent of new rows', async () => {
    const rows = await service.database.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class
       WHERE reloptions @> ARRAY['autovacuum_vacuum_insert_scale_factor=0.01'] ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['messages', 'tracking_events']);
  });
});
