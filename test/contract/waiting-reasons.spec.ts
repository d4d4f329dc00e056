import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { checkAutoEnrollment, checkDueWork, checkErasures } from '../../src/app/doctor/due-work.cross-tenant.js';
import { AUTO_ENROLLING } from '../../src/campaigns/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { useService } from '../support/service.js';

/** A row that waits, with what is needed to show why. */
type Row = Readonly<Record<string, string | number | boolean>>;

interface Waiting {
  /** Selects the rows of workspaces, $1. */
  readonly rows: string;
  /** Why a row of a workspace waits, as users or the operator see it; null if no reason is shown. */
  readonly reason: (api: ApiClient, row: Row) => Promise<string | null>;
}

/** Nothing is merely due: it is done within a moment. */
const until = (instant: string | null): string | null =>
  instant !== null && Date.parse(instant) > Date.now() ? `until ${instant}` : null;

const enrollmentReason: Waiting['reason'] = async (api, { campaign_id, contact_id }) => {
  const { data } = await api.get(`/campaigns/${campaign_id}/contacts/${contact_id}`);
  return data.waiting_for ?? until(data.next_send_at);
};
const clockReason: Waiting['reason'] = async (api) =>
  (await api.get('/sandbox/clock')).data.is_settled ? null : 'not settled';

describe('whatever waits', () => {
  // Deliveries wait for their own pauses: that of a webhook is a row of its own.
  const service = useService({
    ROLE: 'all',
    LOG_LEVEL: 'fatal',
    MAILBOX_POLL_SECONDS: '1',
    WEBHOOK_PROBE_SCHEDULE: 'none',
  });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  /** Of these workspaces the rows are read. */
  let clients: Map<number, ApiClient>;
  beforeAll(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    clients = new Map([[api.workspaceId, api]]);
  });
  afterAll(() => sink.stop());

  const doctor = async (pattern: RegExp): Promise<string | null> => {
    const source = service.app.get(DataSource, { strict: false });
    const checks = [checkDueWork(source), checkErasures(source), checkAutoEnrollment(source)];
    const findings = (await Promise.all(checks.map((check) => check.run()))).flat();
    return findings.find(({ message, status }) => status !== 'ok' && pattern.test(message))?.message ?? null;
  };

  /** The columns by which work is due or waits, and where users or the operator see why a row waits. */
  const WAITING: Readonly<Record<string, Waiting>> = {
    enrollments: {
      rows: `SELECT workspace_id, campaign_id, contact_id FROM enrollments
             WHERE workspace_id = ANY($1) AND status IN ('pending', 'in_progress')`,
      reason: enrollmentReason,
    },
    'due_steps.due_at': {
      rows: `SELECT due.workspace_id, due.campaign_id, enrollment.contact_id FROM due_steps due
             JOIN enrollments enrollment ON enrollment.workspace_id = due.workspace_id AND enrollment.id = due.enrollment_id
             WHERE due.workspace_id = ANY($1)`,
      reason: enrollmentReason,
    },
    'queued_messages.next_attempt_at': {
      rows: 'SELECT workspace_id, id, campaign_id, contact_id FROM queued_messages WHERE workspace_id = ANY($1)',
      reason: async (client, { id, campaign_id, contact_id }) => {
        const { data } = await client.get(`/campaigns/${campaign_id}/messages?contact_id=${contact_id}`);
        return (data as Schema<'Message'>[]).find((each) => each.id === Number(id))?.reason ?? null;
      },
    },
    'campaigns.new_contacts_from': {
      rows: 'SELECT workspace_id, id FROM campaigns WHERE workspace_id = ANY($1) AND new_contacts_from > now()',
      reason: async (client, { id }) => {
        const { data } = await client.get(`/campaigns/${id}/contacts`);
        const reasons = (data as Schema<'Enrollment'>[]).map(({ waiting_for: reason }) => reason);
        return reasons.find((reason) => reason === 'max_new_contacts') ?? null;
      },
    },
    'campaigns.deleted_at': {
      rows: 'SELECT workspace_id, id FROM campaigns WHERE workspace_id = ANY($1) AND deleted_at IS NOT NULL',
      reason: async (client, { id }) => ((await client.get(`/campaigns/${id}`)).status === 404 ? 'deleted' : null),
    },
    'email_accounts.limited_until': {
      rows: 'SELECT workspace_id, id FROM email_accounts WHERE workspace_id = ANY($1) AND limited_until > now()',
      reason: async (client, { id }) => until((await client.get(`/email-accounts/${id}`)).data.limited_until),
    },
    'mailbox_readings.next_read_at': {
      rows: 'SELECT workspace_id, email_account_id FROM mailbox_readings WHERE workspace_id = ANY($1)',
      reason: async (client, row) => (await client.get(`/email-accounts/${row.email_account_id}`)).data.last_error,
    },
    'failed_mails.next_try_at': {
      rows: 'SELECT workspace_id, email_account_id FROM failed_mails WHERE workspace_id = ANY($1)',
      reason: async (client, row) => (await client.get(`/email-accounts/${row.email_account_id}`)).data.last_error,
    },
    'webhook_deliveries.next_attempt_at': {
      rows: 'SELECT workspace_id, webhook_id FROM webhook_deliveries WHERE workspace_id = ANY($1)',
      reason: async (client, { webhook_id }) => {
        const { data } = await client.get(`/webhooks/${webhook_id}`);
        if (data.pending_count === 0) return null;
        return data.is_active ? until(data.next_attempt_at) : 'inactive';
      },
    },
    'contacts.paused_until': {
      rows: 'SELECT workspace_id, id FROM contacts WHERE workspace_id = ANY($1) AND paused_until > now()',
      reason: async (client, { id }) => until((await client.get(`/contacts/${id}`)).data.paused_until),
    },
    'webhooks.paused_until': {
      rows: 'SELECT workspace_id, id FROM webhooks WHERE workspace_id = ANY($1) AND paused_until > now()',
      reason: async (client, { id }) => until((await client.get(`/webhooks/${id}`)).data.paused_until),
    },
    imports: {
      rows: `SELECT workspace_id, id FROM imports WHERE workspace_id = ANY($1) AND status IN ('pending', 'running')`,
      reason: async (client, { id }) => (await client.get(`/imports/${id}`)).data.status,
    },
    'provider_callbacks.next_attempt_at': {
      rows: 'SELECT workspace_id, id FROM provider_callbacks WHERE workspace_id = ANY($1)',
      reason: (_, { workspace_id, id }) =>
        doctor(new RegExp(`could not be recorded.*\\b${id} of workspace ${workspace_id}\\b`)),
    },
    'erasures.next_run_at erasures.horizon': {
      rows: 'SELECT workspace_id FROM erasures WHERE workspace_id = ANY($1) AND completed_at IS NULL',
      reason: () => doctor(/^erasures that wait for an open transaction: 1 /),
    },
    'auto_enroll_passes.horizon': {
      rows: 'SELECT workspace_id FROM auto_enroll_passes WHERE workspace_id = ANY($1) AND horizon IS NOT NULL',
      reason: () => doctor(/^campaigns with auto_enroll that wait for an open transaction: 1;/),
    },
    changed_contacts: {
      rows: 'SELECT workspace_id FROM changed_contacts WHERE workspace_id = ANY($1)',
      reason: clockReason,
    },
    'sandbox_reactions.due_at sandbox_reactions.next_attempt_at': {
      rows: 'SELECT workspace_id FROM sandbox_reactions WHERE workspace_id = ANY($1)',
      reason: clockReason,
    },
    'sandbox_clocks.target': {
      rows: 'SELECT workspace_id FROM sandbox_clocks WHERE workspace_id = ANY($1) AND target IS NOT NULL',
      reason: clockReason,
    },
    // Each is due again after its interval, and late only if no worker polls.
    'scheduled_tasks.next_run_at': {
      rows: `SELECT $1::bigint[] IS NULL AS of_workspace WHERE EXISTS (SELECT 1 FROM scheduled_tasks)`,
      reason: async () => {
        const late = (await ScrapedMetrics.of(service.url)).value('outreach_due_work_poll_late_seconds');
        return late === undefined ? null : `polled late by ${late} s`;
      },
    },
  };

  /** A running campaign whose contacts get what the fields say from an account of its own. */
  const running = async (name: string, contacts: number, fields: object, account: object = {}) => {
    const { id } = await given.mailbox(sink, { from_email: `${name}@sender.example`, ...account });
    const ids = await given.contacts(contacts, name);
    const campaign = await given.running(ids, { email_account_ids: [id], ...fields });
    return { id: campaign.id, accountId: id, path: `/campaigns/${campaign.id}` };
  };
  const steps = (fields: object = {}) => [{ subject: 'Hello', body: '<p>Hello</p>', ...fields }];
  const LATER = { steps: steps({ delay_minutes: 600 }) };

  /** One campaign for each reason of an enrollment. */
  async function sendingWaits(): Promise<void> {
    const draft = await given.campaign();
    await api.post(`/campaigns/${draft.id}/contacts`, { contact_ids: await given.contacts(1, 'draft') });
    await running('delay', 1, LATER);
    await running('limit', 2, { steps: steps() }, { daily_limit: 1 });
    await running('gap', 3, { steps: steps() }, { min_seconds_between: 3_600 });
    await running('new', 2, { steps: steps(), max_new_contacts_per_day: 1 });
    await running('variable', 1, { steps: steps({ subject: 'Hello {{ company }}', required_variables: ['company'] }) });
    const paused = await running('paused', 1, LATER);
    await api.post(`${paused.path}/pause`);
    const stepless = await running('stepless', 1, LATER);
    const { data: stored } = await api.get(`${stepless.path}/steps`);
    await api.delete(`${stepless.path}/steps/${stored[0].id}`);
    const off = await running('off', 1, LATER);
    await api.put(`/email-accounts/${off.accountId}`, { is_active: false });
    sink.misbehave({ at: 'rcpt', matches: /^deferred/, refuse: [451, '4.3.0 later'] });
    await running('deferred', 1, { steps: steps() });
    sink.misbehave({ at: 'mail', matches: /^provider/, refuse: [550, '5.4.5 Daily user sending limit exceeded'] });
    await running('provider', 1, { steps: steps() });
    sink.misbehave({ at: 'reply', matches: /^lost/, drop: true });
    await running('lost', 1, { steps: steps(), on_unknown: 'hold' });
    await running('schedule', 1, { steps: steps(), schedule: await closedNow() });
  }

  /** A window of a minute that is not this one. */
  async function closedNow(): Promise<object> {
    const [now] = await service.database.query<{ hour: number }>(
      `SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::int AS hour`,
    );
    const window = now?.hour === 0 ? { start: '12:00', end: '12:01' } : { start: '00:00', end: '00:01' };
    return { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], ...window };
  }

  /**
   * A mailbox without a server, a mail that could not be read, and two webhooks without a receiver, of which one is
   * paused; a contact that is paused.
   */
  async function mailboxesAndWebhooksWait(): Promise<void> {
    const imap = {
      imap_host: '127.0.0.1',
      imap_port: 9,
      imap_encryption: 'ssl',
      imap_username: 'a',
      imap_password: 'b',
    };
    await given.mailbox(sink, { from_email: 'unread@sender.example', ...imap });
    const { id } = await given.mailbox(sink, { from_email: 'mail@sender.example' });
    await service.database.query(
      `INSERT INTO failed_mails (workspace_id, email_account_id, folder, uid_validity, uid, error, next_try_at)
       VALUES ($1, $2, 'inbox', 1, 7, 'refused', now() + interval '1 hour')`,
      [api.workspaceId, id],
    );
    const hook = { url: 'https://127.0.0.1:4443/', events: ['contact.created'] };
    const { data: paused } = await api.post('/webhooks', hook);
    await service.database.query(`UPDATE webhooks SET paused_until = now() + interval '1 hour' WHERE id = $1`, [
      paused.id,
    ]);
    await api.post('/webhooks', hook);
    const contact = await given.contact();
    await api.post(`/contacts/${contact.id}/pause`, { until: new Date(Date.now() + 3_600_000).toISOString() });
  }

  /** What waits for a transaction of the test, until that ends: a deletion, an import, an erasure and a pass of auto_enroll. */
  async function waitForTransaction(): Promise<BlockingTransaction> {
    const campaign = await given.campaign();
    const transaction = await BlockingTransaction.begin(
      service.database,
      `SELECT pg_current_xact_id(), pg_advisory_xact_lock(hashtextextended('custom_fields', $1))`,
      [api.workspaceId],
    );
    const lock = 'SELECT 1 FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE';
    await transaction.run(lock, [api.workspaceId, campaign.id]);
    await service.database.query(`UPDATE campaigns SET deleted_at = now(), status = 'paused' WHERE id = $1`, [
      campaign.id,
    ]);
    const erased = await given.contact();
    expect((await api.post(`/contacts/${erased.id}/erase`)).status).toBe(204);
    await service.database.query(
      `UPDATE erasures SET requested_at = now() - interval '10 minutes', next_run_at = now(), is_last_search = TRUE
       WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    const form = new FormData();
    form.append('file', new Blob(['email,custom_fields.a\na@example.com,1\n']), 'file.csv');
    expect((await api.post('/contacts/import', form, { prefer: 'respond-async' })).status).toBe(202);
    await transaction.blocks(1);
    await autoEnrolling(api);
    return transaction;
  }

  /** A running campaign that enrolls the members of an empty list. */
  async function autoEnrolling(client: ApiClient): Promise<void> {
    const own = new Given(client, service.database);
    const account = await own.mailbox(sink, { from_email: 'list@sender.example' });
    const list = await own.group('/lists');
    const fields = { auto_enroll: { list_ids: [list.id] }, email_account_ids: [account.id], ...LATER };
    const { id } = await own.campaign(fields);
    expect((await client.post(`/campaigns/${id}/start`)).status).toBe(200);
  }

  /** Three sandboxes: one whose clock is being put forward, one with a reaction that has failed, one with a changed contact. */
  async function sandboxesWait(): Promise<void> {
    const [moving, reacting, changing] = [await service.sandbox(), await service.sandbox(), await service.sandbox()];
    for (const client of [moving, reacting, changing]) clients.set(client.workspaceId, client);
    await service.database.query(
      `INSERT INTO sandbox_clocks (workspace_id, id, target, leased_by, lease_until)
       VALUES ($1, $1, now() + interval '1 hour', gen_random_uuid(), now() + interval '1 hour')`,
      [moving.workspaceId],
    );
    await service.database.query(
      `WITH message AS (
         INSERT INTO sandbox_messages (workspace_id, from_address, to_address, subject, message_id, html, text, raw, bytes, event_provider)
         VALUES ($1, 'a@b.example', 'c@d.example', 'S', 'm@b.example', '', '', '', 0, NULL) RETURNING workspace_id, id)
       INSERT INTO sandbox_reactions (workspace_id, sandbox_message_id, kind, due_at, next_attempt_at)
       SELECT workspace_id, id, 'delivered', now(), now() + interval '1 hour' FROM message`,
      [reacting.workspaceId],
    );
    // Only now: the pass of the other workspace has to begin before.
    await service.app.get<Queue>(getQueueToken(AUTO_ENROLLING), { strict: false }).pause();
    await autoEnrolling(changing);
    await new Given(changing, service.database).contact();
  }

  it('is in a table whose rows show their reasons', async () => {
    const found = await service.database.query<{ name: string }>(
      `SELECT relation.relname || '.' || attribute.attname AS name FROM pg_attribute attribute
       JOIN pg_class relation ON relation.oid = attribute.attrelid
       WHERE relation.relkind IN ('r', 'p') AND NOT relation.relispartition AND NOT attribute.attisdropped
         AND relation.relnamespace = 'public'::regnamespace
         AND attribute.attname ~ '^(next_[a-z]+_at|due_at|paused_until|limited_until|new_contacts_from|horizon|target|deleted_at)$'`,
    );
    const known = Object.keys(WAITING).flatMap((names) => names.split(' '));
    expect(found.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('shows why, to users or to the operator', async () => {
    await sendingWaits();
    await mailboxesAndWebhooksWait();
    const [callback] = await service.database.query<{ id: string }>(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, attempts, received_at, next_attempt_at)
       VALUES ($1, 'sendgrid', '[]', 1, 1, now(), now() + interval '1 hour') RETURNING id`,
      [api.workspaceId],
    );
    expect(callback).toBeDefined();
    const transaction = await waitForTransaction();
    await eventually(async () => expect(await doctor(/^campaigns with auto_enroll/)).not.toBeNull());
    await sandboxesWait();
    await eventually(async () => {
      const shown: Record<string, string[]> = {};
      for (const [table, { rows, reason }] of Object.entries(WAITING)) {
        for (const row of await service.database.query<Row>(rows, [[...clients.keys()]])) {
          const found = await reason(clients.get(Number(row.workspace_id)) ?? api, row);
          expect({ table, row, reason: found }).toEqual({ table, row, reason: expect.any(String) });
          (shown[table] ??= []).push(found ?? '');
        }
      }
      expect(Object.keys(shown)).toEqual(Object.keys(WAITING));
      const reasons = ['draft', 'no_step', 'paused', 'account_inactive', 'daily_limit', 'min_seconds_between'];
      const others = [
        'max_new_contacts',
        'missing_variable',
        'temporary_failure',
        'outside_schedule',
        'result_unknown',
      ];
      expect(shown.enrollments).toEqual(expect.arrayContaining([...reasons, ...others, 'provider_limit']));
      expect(shown['failed_mails.next_try_at']).toEqual(['refused']);
      expect(shown.imports).toEqual(['running']);
    });
    await transaction.end();
  });
});
