import { randomUUID } from 'node:crypto';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import pg from 'pg';
import { JobQueue } from '@outreach/job-queue';
import { queues } from '../../src/app/features.js';
import { WorkspaceDeletion } from '../../src/app/workspace-deletion/workspace-deletion.js';
import { Database } from '../../src/platform/database/index.js';
import { storedRows } from '../isolation/stored-rows.js';
import { WorkspaceFixture } from '../isolation/workspace-fixture.js';
import type { ApiClient } from '../support/api-client.js';
import { CommandRunner, outreach, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { givenConnectedAccount } from '../support/given-connected-account.js';
import { MailSink } from '../support/mail-sink.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { useService } from '../support/service.js';
import type { TestDatabase } from '../support/test-database.js';

/** Rows that requests of {@link WorkspaceFixture} do not create. `$1` is the workspace. */
const MORE_ROWS = [
  `INSERT INTO contact_refusals (workspace_id, hash, status, refused_at) VALUES ($1, 'x', 'unsubscribed', now())`,
  `INSERT INTO segment_counts (workspace_id, segment_id, contacts_count, definition, contact_changes, counted_at, took_ms)
   SELECT workspace_id, id, 1, '', 1, now(), 1 FROM segments WHERE workspace_id = $1`,
  `INSERT INTO campaign_rates (workspace_id, campaign_id, counted_from, sent_before)
   SELECT workspace_id, id, now(), 0 FROM campaigns WHERE workspace_id = $1`,
  `INSERT INTO email_account_days (workspace_id, email_account_id, day, sent)
   SELECT workspace_id, id, now(), 1 FROM email_accounts WHERE workspace_id = $1`,
  `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id)
   SELECT workspace_id, campaign_id, enrollment_id, contact_id FROM messages WHERE workspace_id = $1`,
  `INSERT INTO new_contact_counts (workspace_id, campaign_id, day, contacts)
   SELECT workspace_id, id, now(), 1 FROM campaigns WHERE workspace_id = $1`,
  `INSERT INTO sandbox_clocks (workspace_id, id) VALUES ($1, $1)`,
  `INSERT INTO message_claims (workspace_id, claimed_by, message_ids) VALUES ($1, gen_random_uuid(), '{1}')`,
  `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification)
   SELECT workspace_id, id, enrollment_id, 'open', 'counted' FROM messages WHERE workspace_id = $1`,
  `INSERT INTO ordered_values (workspace_id, contact_id, custom_field_id, value)
   SELECT $1, (SELECT id FROM contacts WHERE workspace_id = $1 LIMIT 1), id, 1 FROM custom_fields WHERE workspace_id = $1`,
  'INSERT INTO event_feeds (workspace_id, last_id) VALUES ($1, 1)',
  `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id)
   SELECT workspace_id, id, 1, now(), gen_random_uuid() FROM webhooks WHERE workspace_id = $1`,
  `INSERT INTO erasures (workspace_id, contact_id, next_run_at) VALUES ($1, 1, now() + interval '1 hour')`,
  `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at) VALUES ($1, 'sendgrid', '[]', 0, now())`,
  `INSERT INTO sandbox_reactions (workspace_id, sandbox_message_id, kind, due_at)
   SELECT workspace_id, id, 'opened', now() FROM sandbox_messages WHERE workspace_id = $1`,
  `INSERT INTO sandbox_delays (workspace_id, message_id, ends_at) VALUES ($1, 'a@b.example', now())`,
  `INSERT INTO import_file_parts (workspace_id, import_id, position, content)
   SELECT workspace_id, id, 0, 'x' FROM imports WHERE workspace_id = $1`,
  `INSERT INTO step_variants (workspace_id, step_id, position, name, weight)
   SELECT workspace_id, id, 1, 'A', 1 FROM campaign_steps WHERE workspace_id = $1`,
  `INSERT INTO absences (workspace_id, contact_id, returns_on, ends_at, reported_at)
   SELECT workspace_id, id, now(), now(), now() FROM contacts WHERE workspace_id = $1`,
  `INSERT INTO contact_changes (workspace_id, contact_id, field, old_value, new_value, source)
   SELECT workspace_id, id, 'status', 'active', 'bounced', 'service' FROM contacts WHERE workspace_id = $1`,
  `INSERT INTO enrollment_changes (workspace_id, enrollment_id, kind)
   SELECT workspace_id, id, 'skipped' FROM enrollments WHERE workspace_id = $1`,
  `INSERT INTO auto_enroll_sources (workspace_id, campaign_id, position, list_id)
   SELECT campaign.workspace_id, campaign.id, 0, list.id FROM campaigns campaign
   JOIN lists list USING (workspace_id) WHERE campaign.workspace_id = $1`,
  `INSERT INTO auto_enroll_passes (workspace_id, campaign_id, request, after_created_at)
   SELECT workspace_id, id, gen_random_uuid(), now() FROM campaigns WHERE workspace_id = $1`,
  `INSERT INTO changed_contacts (workspace_id, contact_id) SELECT workspace_id, id FROM contacts WHERE workspace_id = $1`,
  `INSERT INTO former_emails (workspace_id, contact_id, email) SELECT workspace_id, id, 'x' FROM contacts WHERE workspace_id = $1`,
  `INSERT INTO removed_enrollments (workspace_id, campaign_id, contact_id)
   SELECT workspace_id, campaign_id, contact_id FROM enrollments WHERE workspace_id = $1`,
  `INSERT INTO message_contents (workspace_id, message_id, enrollment_id, to_address, subject, body, thread)
   SELECT workspace_id, id, enrollment_id, 'x', 'x', 'x', '{}' FROM messages WHERE workspace_id = $1`,
  `INSERT INTO oauth_grants (workspace_id, email_account_id, provider, address, refresh_token_encrypted,
     access_token_encrypted, access_token_expires_at)
   SELECT workspace_id, id, 'google', from_email, 'x', 'x', now() FROM email_accounts WHERE workspace_id = $1`,
  `INSERT INTO mailbox_readings (workspace_id, email_account_id, read_from)
   SELECT workspace_id, id, now() FROM email_accounts WHERE workspace_id = $1`,
  `INSERT INTO mailbox_cursors (workspace_id, email_account_id, folder, path, uid_validity, last_uid)
   SELECT workspace_id, email_account_id, 'inbox', 'INBOX', 1, 1 FROM mailbox_readings WHERE workspace_id = $1`,
  `INSERT INTO failed_mails (workspace_id, email_account_id, folder, uid_validity, uid, error, next_try_at)
   SELECT workspace_id, email_account_id, 'inbox', 1, 1, 'x', now() FROM mailbox_readings WHERE workspace_id = $1`,
  `INSERT INTO domain_checks (workspace_id, email_account_id, subject, checks, checked_at, expires_at)
   SELECT workspace_id, id, 'x', '{}', now(), now() FROM email_accounts WHERE workspace_id = $1`,
  `INSERT INTO oauth_states (workspace_id, state_hash, provider, code_verifier_encrypted, nonce_encrypted, name,
     daily_limit, expires_at) VALUES ($1::bigint, $1::bigint::text, 'google', 'x', 'x', 'x', 1, now())`,
  `INSERT INTO tracking_domains (workspace_id, domain, verified_at) VALUES ($1::bigint, $1::bigint::text, now())`,
];

describe('Deleting a workspace', () => {
  let provider: OpenidProvider;
  const service = useService(async () => {
    provider = await OpenidProvider.start();
    return provider.settings;
  });
  const commands = new CommandRunner();
  let api: ApiClient;
  afterAll(async () => {
    commands.stop();
    await provider.stop();
  });
  beforeEach(async () => {
    api = await service.client();
  });

  const deletion = () => new WorkspaceDeletion(service.app.get(Database));
  const env = () => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: 'a key that only tests use' });

  /** Every table with a `workspace_id`, by PostgreSQL's catalogue → the number of its rows of a workspace. */
  async function rowsOf(workspaceId: number): Promise<Record<string, number>> {
    const tables = await service.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const counts = tables.map(
      ({ name }) => `SELECT '${name}' AS name, count(*)::int FROM ${name} WHERE workspace_id = $1`,
    );
    const rows = await service.database.query<{ name: string; count: number }>(counts.join(' UNION ALL '), [
      workspaceId,
    ]);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }
  const isPartition = (name: string): boolean =>
    /^(webhook_logs|webhook_events|event_batches)_(\d{8}|default)$/.test(name);

  async function filled(marker: string): Promise<WorkspaceFixture> {
    const client = await service.client();
    const fixture = await new WorkspaceFixture(client, service.database, marker).fill();
    for (const statement of MORE_ROWS)
      await service.database.query(`${statement} ON CONFLICT DO NOTHING`, [client.workspaceId]);
    const stored = await client.post('/lists', { name: 'again' }, { 'idempotency-key': marker });
    expect(stored.status).toBe(201);
    await client.post('/blacklist/check', { email: 'ada@example.com' });
    return fixture;
  }

  it('deletes the rows of every table, and none of another workspace', async () => {
    const [mine, other] = [await filled('mine'), await filled('other')];
    const { workspaceId } = mine.api;
    const before = await rowsOf(workspaceId);
    // A table that is missing here needs a row in this test.
    expect(Object.keys(before).filter((name) => before[name] === 0 && !isPartition(name))).toEqual([]);
    const { id: tokenId } = (await mine.api.get('/me')).data.token;
    const rowsOfToken = () =>
      service.database.query(
        `SELECT key FROM idempotency_keys WHERE token_id = $1
         UNION ALL SELECT key FROM quota_counters WHERE key IN ($2, $3) OR key LIKE $4`,
        [tokenId, `token:${tokenId}`, `workspace:${workspaceId}`, `%:workspace:${workspaceId}`],
      );
    expect((await rowsOfToken()).length).toBeGreaterThanOrEqual(service.config.redis_url ? 1 : 4);
    const others = await storedRows(service.database, other.api.workspaceId);

    const preview = await deletion().preview(workspaceId);
    const deleted = await deletion().delete(workspaceId);
    expect(deleted).toMatchObject({ workspaces: 1, contacts: 1, webhook_logs: 1, idempotency_keys: 1, api_tokens: 2 });
    expect(Object.keys(preview.rows).filter((name) => !(name in deleted))).toEqual([]);
    expect(Object.values(await rowsOf(workspaceId)).filter((count) => count > 0)).toEqual([]);
    expect(await service.database.query('SELECT 1 FROM workspaces WHERE id = $1', [workspaceId])).toEqual([]);
    expect(await rowsOfToken()).toEqual([]);
    expect(await storedRows(service.database, other.api.workspaceId)).toEqual(others);
    expect((await other.api.get('/me')).status).toBe(200);
  });

  describe('revokes the access to its mailboxes at their provider', () => {
    /** Stores the refresh token of a new account; undefined stands for one that cannot be decrypted. */
    const connected = async (token: string | undefined): Promise<void> => {
      const address = `${token ?? 'unreadable'}@mail.example`;
      const { id } = await givenConnectedAccount(service, api, { address, refresh_token: token ?? '' });
      if (token === undefined)
        await service.database.query(
          `UPDATE oauth_grants SET refresh_token_encrypted = 'x' WHERE email_account_id = $1`,
          [id],
        );
    };
    const tokens = ['one', 'two', 'three', 'four', 'five', 'six'];
    beforeEach(async () => {
      provider.revoked.length = 0;
      provider.revocationStatus = 200;
      for (const token of [...tokens.slice(0, 3), undefined, ...tokens.slice(3)]) await connected(token);
    });
    const remaining = async () => Object.values(await rowsOf(api.workspaceId)).filter((count) => count > 0);
    const deleteCommand = () => ['workspace', 'delete', String(api.workspaceId), '--yes', '--json'];
    const deleteByCommand = (settings: Record<string, string>) =>
      commands.run(deleteCommand(), { ...env(), ...settings });

    it('by the command, and says which access it could not revoke', async () => {
      // A process of its own, because the runner does not see the log.
      const { code, stdout, stderr } = await outreach(deleteCommand(), { ...env(), ...provider.settings });
      expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, ['id', 'deleted']]);
      expect([...provider.revoked].sort()).toEqual([...tokens].sort());
      expect(stderr.match(/was not revoked/g)).toHaveLength(1);
      expect(await remaining()).toEqual([]);
    });

    it('and is deleted although the provider refuses, or is not configured', async () => {
      provider.revocationStatus = 503;
      expect((await deleteByCommand(provider.settings)).code).toBe(0);
      expect([provider.revoked.length, await remaining()]).toEqual([tokens.length, []]);
      api = await service.client();
      await connected('seven');
      expect((await deleteByCommand({})).code).toBe(0);
      expect([provider.revoked.length, await remaining()]).toEqual([tokens.length, []]);
    });

    it('also if a worker deletes what a late transaction has written', async () => {
      await service.database.query('DELETE FROM workspaces WHERE id = $1', [api.workspaceId]);
      const worker = await service.startWorker();
      await worker.get(WorkspaceDeletion, { strict: false }).deleteRemainders();
      // The worker may do it by itself at the same time.
      expect(new Set(provider.revoked)).toEqual(new Set(tokens));
      expect(await remaining()).toEqual([]);
    });
  });

  it('ends its tokens and inbound addresses before it deletes anything', async () => {
    const { key } = (await api.get('/inbound')).data;
    const report = () =>
      fetch(`${service.url}/inbound/mail/${key}`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822' },
        body: 'Subject: x\r\n\r\n',
      });
    expect((await report()).status).toBe(200);
    await new Given(api, service.database).contacts(3);
    const deleted = deletion().delete(api.workspaceId);
    await eventually(async () => expect((await api.get('/me')).status).toBe(401));
    expect((await report()).status).toBe(404);
    expect(await deleted).toMatchObject({ contacts: 3 });
    expect((await api.get('/contacts')).status).toBe(401);
  });

  it('leaves an address blocked that another workspace has blacklisted, and releases the others', async () => {
    const other = await service.client();
    await api.post('/blacklist/bulk-create', { emails: ['both@example.com', 'mine@example.com'] });
    await other.post('/blacklist', { email: 'both@example.com' });
    await deletion().delete(api.workspaceId);
    const third = await service.client();
    const isBlacklisted = async (email: string) =>
      (await third.post('/blacklist/check', { email })).data.is_blacklisted;
    expect([await isBlacklisted('both@example.com'), await isBlacklisted('mine@example.com')]).toEqual([true, false]);
  });

  it('stops its campaigns, and jobs for its deleted records do nothing', async () => {
    const sink = await MailSink.start();
    try {
      let resume = (): void => undefined;
      const resumed = new Promise<void>((resolve) => (resume = resolve));
      sink.misbehave({ at: 'data', wait: async () => sink.mails.length > 5 && resumed });
      const given = new Given(api, service.database);
      const mailbox = await given.mailbox(sink);
      const campaign = await given.running(await given.contacts(2_000), { email_account_ids: [mailbox.id] });
      const worker = await service.startWorker();
      const idle = () =>
        eventually(async () => {
          for (const name of queues) {
            const queue = worker.get<Queue>(getQueueToken(name), { strict: false });
            expect([await queue.getWaitingCount(), await queue.getActiveCount()]).toEqual([0, 0]);
          }
        });
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(5));
      await deletion().delete(api.workspaceId);
      resume();
      await idle();
      const sent = sink.mails.length;
      // With those that were on their way to the server.
      expect(sent).toBeLessThan(20);
      const jobQueue = worker.get(JobQueue, { strict: false });
      for (const name of queues) {
        for (const id of [campaign.id, mailbox.id, 1]) jobQueue.requeue(name, { workspace_id: api.workspaceId, id });
      }
      await idle();
      expect(sink.mails).toHaveLength(sent);
      expect(Object.values(await rowsOf(api.workspaceId)).filter((count) => count > 0)).toEqual([]);
    } finally {
      await sink.stop();
    }
  });

  it('can be repeated after the process was killed', async () => {
    const ids = await new Given(api, service.database).contacts(15_000);
    const count = async () => (await rowsOf(api.workspaceId)).contacts ?? 0;
    const command = ['workspace', 'delete', String(api.workspaceId), '--yes', '--json'];
    const wait = await WaitingDeletion.begin(service.database, api.workspaceId, Number(ids[7_500]));
    const killed = new OutreachProcess(command, env());
    await wait.hasBegun();
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await count()).toBe(10_000);
    await wait.end();
    expect((await api.get('/me')).status).toBe(401);
    const create = ['token', 'create', '--workspace', String(api.workspaceId), '--name', 'x'];
    expect((await commands.run(create, env())).code).toBe(1);
    const { code, stdout } = await commands.run(command, env());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ id: api.workspaceId, deleted: expect.objectContaining({ workspaces: 1 }) });
    expect(Object.values(await rowsOf(api.workspaceId)).filter((rows) => rows > 0)).toEqual([]);
  });

  it('a worker deletes the rows that a late transaction has written', async () => {
    await deletion().delete(api.workspaceId);
    await new Given(api, service.database).contacts(3);
    const other = await service.client();
    await new Given(other, service.database).contacts(2);
    await deletion().deleteRemainders();
    expect([await rowsOf(api.workspaceId), await rowsOf(other.workspaceId)]).toMatchObject([
      { contacts: 0 },
      { contacts: 2 },
    ]);
  });
});

/**
 * Makes the statement that deletes a contact wait for a prepared transaction: it has no session, for whose transaction a
 * deletion would wait.
 */
class WaitingDeletion {
  private constructor(
    private readonly client: pg.Client,
    private readonly transaction: string,
  ) {}

  static async begin(database: TestDatabase, workspaceId: number, contactId: number): Promise<WaitingDeletion> {
    const { url, table } = await placeOf(database, 'contacts', workspaceId);
    const client = new pg.Client({ connectionString: url, application_name: 'tests' });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [contactId]);
    const transaction = `deletion-${randomUUID()}`;
    await client.query(`PREPARE TRANSACTION '${transaction}'`);
    return new WaitingDeletion(client, transaction);
  }

  async hasBegun(): Promise<void> {
    await eventually(async () => {
      const { rows } = await this.client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
  }

  async end(): Promise<void> {
    await this.client.query(`ROLLBACK PREPARED '${this.transaction}'`);
    await this.client.end();
  }
}

/** The server and the table with the rows of a workspace: on several nodes, a shard on one of them. */
async function placeOf(database: TestDatabase, table: string, workspaceId: number) {
  const url = new URL(database.url);
  if (!process.env.TEST_NODE_URLS) return { url: url.href, table };
  const [shard] = await database.query<{ port: number; name: string }>(
    `SELECT nodeport AS port, shard_name AS name FROM citus_shards
     WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2::bigint)`,
    [table, workspaceId],
  );
  url.port = String(shard?.port);
  return { url: url.href, table: String(shard?.name) };
}
