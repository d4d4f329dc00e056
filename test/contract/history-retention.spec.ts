import type { INestApplicationContext } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { HistoryRetention } from '../../src/personal-data/retention/history-retention.cross-tenant.js';
import { Database } from '../../src/platform/database/index.js';
import { MessageLinks } from '../../src/sending/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const DAYS = 30;
const DAY_SECONDS = 86_400;
const VARIANTS = [
  { name: 'A', weight: 1 },
  { name: 'B', weight: 1, subject: 'Other' },
];
const STEPS = [
  { subject: 'First', body: '<p>First</p>', variants: VARIANTS },
  { subject: 'Second', body: '<p>Second</p>' },
];
const ACCOUNT = {
  ...{ name: 'Sales', type: 'smtp', from_email: 'sales@sender.example', from_name: 'Sales' },
  ...{ smtp_host: 'mail.nowhere.invalid', smtp_port: 587, smtp_username: 'ann', smtp_password: 'secret' },
};
/** Each with messages of both steps, in each combination of what can become of two messages. */
const ENROLLMENTS = 240;

/** Columns of the message `n` of a step whose instants are `at`: which of them are set repeats with different periods. */
const RESULTS = `
  (ARRAY['sent', 'delivered', 'bounced', 'complained', 'failed', 'unknown', 'cancelled'])[1 + (n + step.position) % 7] AS status,
  CASE WHEN (n + step.position) % 7 < 4 THEN at END AS sent_at, CASE WHEN n % 3 = 0 THEN at END AS delivered_at,
  CASE WHEN n % (2 + step.position) = 0 THEN at END AS opened_at, CASE WHEN n % 5 = 0 THEN at END AS clicked_at,
  CASE WHEN (n + step.position) % 6 = 0 THEN at END AS replied_at, CASE WHEN n % 7 = 2 THEN at END AS bounced_at,
  CASE WHEN n % 7 = 3 THEN at END AS complained_at, CASE WHEN n % 11 = 0 THEN at END AS unsubscribed_at,
  (n % 4)::smallint AS bot_opens, (n % 3)::smallint AS bot_clicks`;

describe('HISTORY_RETENTION_DAYS', () => {
  const service = useService({ HISTORY_RETENTION_DAYS: String(DAYS), LOG_LEVEL: 'fatal' });
  let worker: INestApplicationContext;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    // Prevents the worker from running the task by itself.
    await service.database.query(
      `INSERT INTO scheduled_tasks (name, next_run_at) VALUES ('delete-expired-history', 'infinity')`,
    );
    worker = await service.startWorker();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const deleteExpired = (): Promise<void> => worker.get(HistoryRetention, { strict: false }).deleteExpired();
  const stats = async ({ id }: { id: number }) => (await api.get(`/campaigns/${id}/stats`)).data;
  const count = async (table: string, which = 'TRUE'): Promise<number> => {
    const [row] = await service.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM ${table} WHERE workspace_id = $1 AND ${which}`,
      [api.workspaceId],
    );
    return row?.total ?? 0;
  };
  const execute = (statement: string, ...values: unknown[]) =>
    service.database.query(statement, [api.workspaceId, ...values]);

  /** A campaign whose messages are so many days old, with opens, replies, answers and changes. */
  async function campaignOf(daysAgo: number, status: string, fields: object = {}): Promise<Schema<'Campaign'>> {
    const campaign = await given.campaign({ steps: STEPS, ...fields });
    const contacts = await given.contacts(ENROLLMENTS, `campaign${campaign.id}-`);
    await execute(
      `INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status, created_at, updated_at)
       SELECT $1, $2, contact, $3, at, at FROM unnest($4::bigint[]) contact CROSS JOIN (SELECT now() - make_interval(days => $5) AS at) times`,
      ...[campaign.id, status, contacts, daysAgo],
    );
    await execute(
      `WITH chosen AS MATERIALIZED (
         SELECT $1::bigint, $2::bigint, enrollment.id, enrollment.contact_id, step.id, variant.id, at, at, ${RESULTS}
         FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM enrollments
               WHERE workspace_id = $1 AND campaign_id = $2) enrollment
         CROSS JOIN (SELECT now() - make_interval(days => $3) AS at) times
         JOIN campaign_steps step ON step.workspace_id = $1 AND step.campaign_id = $2
         LEFT JOIN step_variants variant ON variant.workspace_id = $1 AND variant.step_id = step.id
           AND variant.position = 1 + n % 2
         WHERE n % 10 <> 9 OR step.position = 1)
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, variant_id, created_at, updated_at,
         status, sent_at, delivered_at, opened_at, clicked_at, replied_at, bounced_at, complained_at, unsubscribed_at,
         bot_opens, bot_clicks)
       SELECT * FROM chosen`,
      ...[campaign.id, daysAgo],
    );
    await execute(
      `INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, reply_id, status, created_at, sent_at)
       SELECT $1, $2, id, contact_id, 1, 'sent', created_at, created_at FROM enrollments
       WHERE workspace_id = $1 AND campaign_id = $2 AND id % 9 = 0`,
      campaign.id,
    );
    await execute(
      `INSERT INTO message_contents (workspace_id, message_id, enrollment_id, to_address, subject, body, thread)
       SELECT $1, id, enrollment_id, 'ann@example.com', 'Re', 'Text', '{}' FROM messages
       WHERE workspace_id = $1 AND campaign_id = $2 AND reply_id IS NOT NULL`,
      campaign.id,
    );
    await execute(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification, created_at)
       SELECT $1, id, enrollment_id, 'open', 'counted', opened_at FROM messages
       WHERE workspace_id = $1 AND campaign_id = $2 AND opened_at IS NOT NULL`,
      campaign.id,
    );
    await execute(
      `INSERT INTO replies (workspace_id, campaign_id, enrollment_id, contact_id, answered_id, dedup_hash, from_address,
         subject, text, classification, is_automatic, received_at, created_at)
       SELECT $1, $2, enrollment_id, contact_id, id, sha256(id::text::bytea), 'ann@example.com', 'Re', 'Yes', 'interested',
         FALSE, replied_at, replied_at
       FROM messages WHERE workspace_id = $1 AND campaign_id = $2 AND replied_at IS NOT NULL`,
      campaign.id,
    );
    for (const [table, columns, values] of [
      [
        'contact_changes',
        'contact_id, field, old_value, new_value, source',
        `contact_id, 'status', 'active', 'bounced', 'mail'`,
      ],
      ['enrollment_changes', 'enrollment_id, kind', `id, 'moved'`],
    ])
      await execute(
        `INSERT INTO ${table} (workspace_id, created_at, ${columns}) SELECT $1, created_at, ${values} FROM enrollments
         WHERE workspace_id = $1 AND campaign_id = $2`,
        campaign.id,
      );
    return campaign;
  }

  const HISTORY = [
    'messages',
    'message_contents',
    'tracking_events',
    'replies',
    'contact_changes',
    'enrollment_changes',
  ];
  const counts = async (): Promise<Record<string, number>> =>
    Object.fromEntries(await Promise.all(HISTORY.map(async (table) => [table, await count(table)] as const)));
  const none = Object.fromEntries(HISTORY.map((table) => [table, 0]));

  it('deletes what is older, and leaves every figure of the campaign as it was, however often it runs', async () => {
    const campaign = await campaignOf(31, 'completed');
    const [before, rows] = [await stats(campaign), await counts()];
    expect(Object.values(rows).every((total) => total > 0)).toBe(true);
    expect(before.messages).toMatchObject({ queued: 0, sent: expect.any(Number) });
    // A recipient of two messages counts once.
    const ofSteps = before.steps.map(({ sent }: { sent: number }) => sent);
    expect(ofSteps[0] + ofSteps[1]).toBeGreaterThan(before.messages.sent);

    await deleteExpired();
    expect(await counts()).toEqual(none);
    expect(await count('enrollments')).toBe(ENROLLMENTS);
    expect(await stats(campaign)).toEqual(before);
    await deleteExpired();
    expect(await stats(campaign)).toEqual(before);
  });

  it('counts each message once if a run fails, and if two workers delete at the same time', async () => {
    const campaign = await campaignOf(31, 'completed');
    const [before, { messages }] = [await stats(campaign), await counts()];
    await service.database.query(
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'died'; END $$`,
    );
    await service.database.query(
      'CREATE TRIGGER die AFTER DELETE ON messages FOR EACH STATEMENT EXECUTE FUNCTION die()',
    );
    await deleteExpired();
    await service.database.query('DROP TRIGGER die ON messages');
    expect([await count('messages'), await stats(campaign)]).toEqual([messages, before]);
    await Promise.all([deleteExpired(), deleteExpired()]);
    expect([await counts(), await stats(campaign)]).toEqual([none, before]);
  });

  it('ends between two transactions when the worker stops, and the next run deletes the rest', async () => {
    const campaigns = [await campaignOf(31, 'completed'), await campaignOf(31, 'completed')] as const;
    const before = await Promise.all(campaigns.map(stats));
    const stopping = new HistoryRetention(
      worker.get(Database, { strict: false }),
      { history_retention_days: DAYS },
      worker.get(Log, { strict: false }),
    );
    const lock = await BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM enrollments WHERE workspace_id = $1 AND campaign_id = $2 FOR UPDATE',
      [api.workspaceId, campaigns[0].id],
    );
    const run = stopping.deleteExpired();
    await lock.blocks(1);
    stopping.beforeApplicationShutdown();
    await lock.end();
    await run;
    expect(await count('messages', `campaign_id = ${campaigns[0].id}`)).toBe(0);
    expect(await count('messages', `campaign_id = ${campaigns[1].id}`)).toBeGreaterThan(0);
    await deleteExpired();
    expect([await counts(), await Promise.all(campaigns.map(stats))]).toEqual([none, before]);
  });

  it('leaves who must not be written to, and the unsubscribe links of deleted messages work', async () => {
    await campaignOf(60, 'completed');
    const [message] = await service.database.query<{ id: string; contact_id: string }>(
      'SELECT id, contact_id FROM messages WHERE workspace_id = $1 ORDER BY id LIMIT 1',
      [api.workspaceId],
    );
    const contact = (await api.get(`/contacts/${message?.contact_id}`)).data;
    const [unsubscribed, deleted] = await given.contacts(2, 'refuser');
    for (const id of [unsubscribed, deleted]) await api.post(`/contacts/${id}/unsubscribe`);
    const { email } = (await api.get(`/contacts/${deleted}`)).data;
    await api.delete(`/contacts/${deleted}`);
    await api.post('/blacklist', { email: 'listed@example.com' });
    for (const table of ['contacts', 'contact_changes', 'blacklist_entries'])
      await execute(`UPDATE ${table} SET created_at = now() - interval '1 year' WHERE workspace_id = $1`);

    await deleteExpired();
    expect(await counts()).toEqual(none);
    expect((await api.get(`/contacts/${unsubscribed}`)).data.status).toBe('unsubscribed');
    expect((await given.contact({ email })).status).toBe('unsubscribed');
    expect((await api.post('/blacklist/check', { email: 'listed@example.com' })).data.is_blacklisted).toBe(true);
    const links = service.app.get(MessageLinks, { strict: false });
    const ref = { workspace_id: api.workspaceId, message_id: Number(message?.id), address: contact.email };
    const { pathname } = new URL(links.unsubscribeUrl(ref));
    expect((await fetch(service.url + pathname, { method: 'POST' })).status).toBe(200);
    expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('unsubscribed');
  });

  it('leaves what is younger, and the messages of enrollments that run, whatever their age', async () => {
    const [young, running] = [await campaignOf(29, 'completed'), await campaignOf(60, 'in_progress')];
    const [before, ofYoung, ofRunning] = [await counts(), await stats(young), await stats(running)];
    await deleteExpired();
    const after = await counts();
    expect([after.messages, after.message_contents]).toEqual([before.messages, before.message_contents]);
    for (const table of ['tracking_events', 'replies', 'contact_changes', 'enrollment_changes'])
      expect(2 * (after[table] ?? 0)).toBe(before[table]);
    expect([await stats(young), await stats(running)]).toEqual([ofYoung, ofRunning]);
  });

  it('leaves all messages of an enrollment of which something has happened or waits since then', async () => {
    const campaign = await campaignOf(60, 'completed');
    const before = await stats(campaign);
    const [opened, answered, waiting] = await service.database.query<{ id: string; enrollment_id: string }>(
      `SELECT min(id) AS id, enrollment_id FROM messages WHERE workspace_id = $1 AND opened_at IS NOT NULL
       GROUP BY 2 HAVING count(*) > 1 ORDER BY 1 LIMIT 3`,
      [api.workspaceId],
    );
    await execute('UPDATE messages SET opened_at = now() WHERE workspace_id = $1 AND id = $2', opened?.id);
    await execute(
      `INSERT INTO replies (workspace_id, campaign_id, enrollment_id, contact_id, answered_id, dedup_hash, from_address,
         subject, text, classification, is_automatic, received_at)
       SELECT $1, campaign_id, enrollment_id, contact_id, id, '\\x01', 'ann@example.com', 'Re', 'Yes', 'interested', FALSE, now()
       FROM messages WHERE workspace_id = $1 AND id = $2`,
      answered?.id,
    );
    await execute(
      `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, reply_id, next_attempt_at)
       SELECT $1, campaign_id, enrollment_id, contact_id, 1, 'infinity' FROM messages WHERE workspace_id = $1 AND id = $2`,
      waiting?.id,
    );
    await execute(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification, created_at)
       SELECT $1, id, enrollment_id, 'open', 'head', now() FROM messages WHERE workspace_id = $1 AND id = $2`,
      opened?.id,
    );
    await deleteExpired();
    const left = await service.database.query<{ enrollment_id: string }>(
      'SELECT DISTINCT enrollment_id FROM messages WHERE workspace_id = $1 ORDER BY 1',
      [api.workspaceId],
    );
    const expected = [opened, answered, waiting].map((row) => Number(row?.enrollment_id)).sort((a, b) => a - b);
    expect(left.map((row) => Number(row.enrollment_id))).toEqual(expected);
    expect([await count('replies'), await count('tracking_events')]).toEqual([1, 1]);
    expect(await stats(campaign)).toEqual(before);
  });

  it('waits for as long as a campaign of the workspace looks for the last message to a contact', async () => {
    const campaign = await campaignOf(60, 'completed', { min_days_since_last_message: 90 });
    const [before, { messages }] = [await stats(campaign), await counts()];
    await deleteExpired();
    expect(await count('messages')).toBe(messages);
    await api.put(`/campaigns/${campaign.id}`, { min_days_since_last_message: 59 });
    await deleteExpired();
    expect([await count('messages'), await stats(campaign)]).toEqual([0, before]);
  });

  it('keeps the figures of a contact that is erased later', async () => {
    const campaign = await campaignOf(31, 'unsubscribed');
    const before = await stats(campaign);
    await deleteExpired();
    const [contact] = await service.database.query<{ id: string }>(
      'SELECT min(id) AS id FROM contacts WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect((await api.post(`/contacts/${contact?.id}/erase`)).status).toBe(204);
    expect(await stats(campaign)).toEqual(before);
  });

  it('holds in a sandbox whose clock is put forward', async () => {
    api = await service.sandbox();
    given = new Given(api, service.database);
    await api.post('/email-accounts', ACCOUNT);
    const campaign = await given.running([(await given.contact()).id], { steps: STEPS.slice(1) });
    const advanceDays = (days: number) => api.post('/sandbox/clock', { advance_seconds: days * DAY_SECONDS });
    expect((await advanceDays(29)).data).toMatchObject({ is_settled: true });
    const before = await stats(campaign);
    expect([before.messages.sent, await count('messages')]).toEqual([1, 1]);
    expect((await advanceDays(2)).data).toMatchObject({ is_settled: true });
    expect([await count('messages'), await stats(campaign)]).toEqual([0, before]);
    expect((await api.get(`/campaigns/${campaign.id}/messages`)).body.meta.total).toBe(0);
  });
});
