import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { applyMigrations } from '../../src/app/apply-migrations.js';
import { migrations } from '../../src/app/migrations/index.js';
import { prepareQueueStore } from '../../src/platform/queue/index.js';
import { issueToken, PERMISSIONS, Workspaces } from '../../src/workspaces/index.js';
import { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const BEFORE_QUEUED_MESSAGES = 1795200000024;
const [FIRST, SECOND] = [1, 2];

const DAY_MS = 86_400_000;
/** The time of the workspace after the migration: the day on which its account has counted does not end during the test. */
const NOON = (Math.floor(Date.now() / DAY_MS) + 1.5) * DAY_MS;
const DAY = new Date(NOON).toISOString().slice(0, 10);

/** What the campaign has stored for one contact before the migration, and what follows from it. */
interface Situation {
  /** The columns of the enrollment: status, step, due. */
  readonly enrollment: readonly [status: string, step: number, due: boolean];
  /** The columns of its messages: step, status and others. */
  readonly messages?: readonly (readonly [step: number, status: string, set?: string])[];
  /** The mails that the contact receives after the migration. */
  readonly received: number;
  /** The statuses of its messages at the end, by step. */
  readonly end: readonly string[];
}

const DEAD_WORKER = `leased_by = gen_random_uuid(), reserved_on = '${DAY}', lease_until = now() - interval '1 second'`;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  due: { enrollment: ['pending', FIRST, true], received: 2, end: ['sent', 'sent'] },
  queued: { enrollment: ['pending', FIRST, false], messages: [[FIRST, 'queued']], received: 2, end: ['sent', 'sent'] },
  retried: {
    enrollment: ['pending', FIRST, false],
    messages: [[FIRST, 'queued', `attempts = 2, reason = 'temporary_failure', message_id = 'retried@sender.example'`]],
    received: 2,
    end: ['sent', 'sent'],
  },
  claimed: {
    enrollment: ['pending', FIRST, false],
    messages: [[FIRST, 'queued', DEAD_WORKER]],
    received: 2,
    end: ['sent', 'sent'],
  },
  sending: {
    enrollment: ['in_progress', SECOND, false],
    messages: [
      [FIRST, 'sent', `sent_at = now()`],
      [SECOND, 'sending', `attempts = 1, message_id = 'sending@sender.example', ${DEAD_WORKER}`],
    ],
    received: 1,
    end: ['sent', 'sent'],
  },
  uncertain: {
    enrollment: ['pending', FIRST, false],
    messages: [[FIRST, 'sending', `attempts = 2, uncertain_attempts = 1, ${DEAD_WORKER}`]],
    received: 0,
    end: ['unknown'],
  },
  unknown: {
    enrollment: ['pending', FIRST, false],
    messages: [[FIRST, 'unknown', `attempts = 1, uncertain_attempts = 1`]],
    received: 0,
    end: ['unknown'],
  },
  sent: {
    enrollment: ['in_progress', SECOND, true],
    messages: [[FIRST, 'sent', `sent_at = now(), opened_at = now()`]],
    received: 1,
    end: ['sent', 'sent'],
  },
  repeated: {
    enrollment: ['in_progress', FIRST, true],
    messages: [[FIRST, 'delivered', `sent_at = now(), delivered_at = now()`]],
    received: 1,
    end: ['delivered', 'sent'],
  },
  completed: {
    enrollment: ['completed', SECOND, false],
    messages: [
      [FIRST, 'sent', `sent_at = now()`],
      [SECOND, 'delivered', `sent_at = now(), delivered_at = now()`],
    ],
    received: 0,
    end: ['sent', 'delivered'],
  },
  failed: {
    enrollment: ['failed', FIRST, false],
    messages: [[FIRST, 'failed', `reason = '554 no'`]],
    received: 0,
    end: ['failed'],
  },
};

describe('migrating in the middle of a campaign', () => {
  let database: TestDatabase;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;

  beforeAll(async () => {
    sink = await MailSink.start();
    database = await createTestDatabase('template1');
    const earlier = migrations.filter((migration) => Number(migration.name.slice(-13)) <= BEFORE_QUEUED_MESSAGES);
    const options = dataSourceOptions(database.url, 2);
    await withSource({ ...options, migrations: earlier }, (source) => source.runMigrations());
    await fill();
    await withSource(options, applyMigrations);
    await prepareQueueStore({ database_url: database.url, redis_url: undefined });
    service = await startService({}, database);
    service.clocks.advance(1, { seconds: Math.floor((NOON - Date.now()) / 1_000) });
    const scope = await service.app.get(Workspaces).scope(1);
    const { token } = await issueToken(scope, { name: 'test', permissions: PERMISSIONS });
    api = new ApiClient(service.url, token, 1);
  });
  afterAll(async () => {
    await service?.stop();
    await sink.stop();
    await database.drop();
  });

  async function withSource(options: Parameters<typeof dataSource>[0], use: (source: DataSource) => Promise<unknown>) {
    const source = await dataSource(options).initialize();
    await use(source).finally(() => source.destroy());
  }

  /** Writes one contact per situation, with the columns of the earlier schema. Its ID is that of its enrollment. */
  async function fill(): Promise<void> {
    const statements = [
      `INSERT INTO workspaces (name) VALUES ('Migrated')`,
      `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name, is_default, daily_limit, sent_count, counted_on)
       VALUES (1, 'a', 'smtp', 'a@sender.example', 'A', TRUE, 1000, 3, '${DAY}')`,
      `INSERT INTO campaigns (workspace_id, name, status, started_at) VALUES (1, 'c', 'active', now())`,
      `INSERT INTO campaign_accounts (workspace_id, campaign_id, email_account_id, position) VALUES (1, 1, 1, 0)`,
      `INSERT INTO campaign_steps (workspace_id, campaign_id, position, subject, body)
       SELECT 1, 1, n, 'Step ' || n, 'Hello' FROM generate_series(1, 2) n`,
    ];
    for (const statement of statements) await database.query(statement);
    for (const [name, { enrollment, messages = [] }] of Object.entries(SITUATIONS)) {
      const [row] = await database.query<{ id: string }>(
        `WITH contact AS (INSERT INTO contacts (workspace_id, email) VALUES (1, $1) RETURNING id)
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status, current_step_id, email_account_id, next_due_at)
         SELECT 1, 1, id, $2, $3, CASE WHEN $1 = 'due@example.com' THEN NULL ELSE 1 END, CASE WHEN $4 THEN now() END
         FROM contact RETURNING id`,
        [`${name}@example.com`, ...enrollment],
      );
      for (const [step, status, set] of messages) {
        const [message] = await database.query<{ id: string }>(
          `INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, status)
           SELECT 1, 1, id, contact_id, $2, 1, $3 FROM enrollments WHERE id = $1 RETURNING id`,
          [row?.id, step, status],
        );
        if (set) await database.query(`UPDATE messages SET ${set} WHERE id = $1`, [message?.id]);
      }
    }
    await database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, kind, classification) SELECT 1, id, 'open', 'undecided' FROM messages`,
    );
  }

  const messages = async (): Promise<Schema<'Message'>[]> =>
    (await api.get('/campaigns/1/messages?per_page=100&direction=asc')).data;

  it('keeps every message with its ID, and the engine sends what was not sent, once', async () => {
    const before = await messages();
    expect(before).toHaveLength(Object.values(SITUATIONS).flatMap((each) => each.messages ?? []).length);
    expect(await database.query('SELECT DISTINCT message_id FROM tracking_events')).toHaveLength(before.length);
    await api.put('/email-accounts/1', sink.account);
    await service.startWorker();
    await eventually(async () => {
      const open = await database.query('SELECT id FROM queued_messages UNION ALL SELECT enrollment_id FROM due_steps');
      expect(open).toEqual([]);
    });
    const after = await messages();
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    for (const [name, { received, end }] of Object.entries(SITUATIONS)) {
      const mine = after.filter(({ email }) => email === `${name}@example.com`);
      const statuses = mine
        .sort((one, other) => Number(one.step_id) - Number(other.step_id))
        .map(({ status }) => status);
      expect([name, statuses, sink.to(`${name}@example.com`).length]).toEqual([name, end, received]);
    }
    const messageIds = Object.fromEntries(
      after.map(({ email, step_id: step, message_id: id }) => [`${email} ${step}`, id]),
    );
    expect(messageIds).toMatchObject({
      'retried@example.com 1': 'retried@sender.example',
      'sending@example.com 2': 'sending@sender.example',
    });
    expect((await api.get('/email-accounts/1/stats')).data.sent_today).toBe(sink.mails.length + 2);
  });
});

const dataSource = (options: ReturnType<typeof dataSourceOptions>): DataSource => new DataSource(options);
