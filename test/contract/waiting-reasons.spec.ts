import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** A row that waits, with what the API needs to show why. */
interface Row {
  readonly [column: string]: string | number | boolean;
  readonly is_due: boolean;
}

interface Waiting {
  /** Selects the rows of a workspace, $1. */
  readonly rows: string;
  /** Why a row waits, as the API shows it; null if it shows no reason. */
  readonly reason: (api: ApiClient, row: Row) => Promise<string | null>;
}

const enrollmentReason: Waiting['reason'] = async (api, { campaign_id, contact_id }) => {
  const { data } = await api.get(`/campaigns/${campaign_id}/contacts/${contact_id}`);
  const { waiting_for: reason, next_send_at: next } = data as Schema<'Enrollment'>;
  // The delay of its step, or its turn, which has come.
  return reason ?? (next === null ? null : `until ${next}`);
};

const webhookReason: Waiting['reason'] = async (api, { webhook_id }) => {
  const { data } = await api.get(`/webhooks/${webhook_id}`);
  const { is_active: isActive, disabled_reason: disabled, paused_until: until, pending_count: count } = data;
  if (count === 0) return null;
  if (!isActive) return disabled ?? 'inactive';
  return until === null ? null : `until ${until}`;
};

/** The tables with due work. */
const WAITING: Readonly<Record<string, Waiting>> = {
  enrollments: {
    rows: `SELECT campaign_id, contact_id, FALSE AS is_due FROM enrollments
           WHERE workspace_id = $1 AND status IN ('pending', 'in_progress')`,
    reason: enrollmentReason,
  },
  due_steps: {
    rows: `SELECT due.campaign_id, enrollment.contact_id, FALSE AS is_due FROM due_steps due
           JOIN enrollments enrollment ON enrollment.workspace_id = due.workspace_id AND enrollment.id = due.enrollment_id
           WHERE due.workspace_id = $1`,
    reason: enrollmentReason,
  },
  queued_messages: {
    rows: `SELECT id, campaign_id, contact_id, next_attempt_at <= now() AS is_due FROM queued_messages WHERE workspace_id = $1`,
    reason: async (api, { id, campaign_id, contact_id }) => {
      const { data } = await api.get(`/campaigns/${campaign_id}/messages?contact_id=${contact_id}`);
      const message = (data as Schema<'Message'>[]).find((each) => each.id === Number(id));
      return message?.status === 'sending' ? 'sending' : (message?.reason ?? null);
    },
  },
  webhook_deliveries: {
    rows: `SELECT webhook_id, FALSE AS is_due FROM webhook_deliveries WHERE workspace_id = $1`,
    reason: webhookReason,
  },
  webhooks: {
    rows: `SELECT id AS webhook_id, FALSE AS is_due FROM webhooks WHERE workspace_id = $1 AND paused_until > now()`,
    reason: webhookReason,
  },
  mailbox_readings: {
    rows: `SELECT email_account_id, failures = 0 AS is_due FROM mailbox_readings WHERE workspace_id = $1`,
    reason: async (api, row) => (await api.get(`/email-accounts/${row.email_account_id}`)).data.last_error,
  },
  imports: {
    rows: `SELECT id, FALSE AS is_due FROM imports WHERE workspace_id = $1 AND status IN ('pending', 'running')`,
    reason: async (api, { id }) => (await api.get(`/imports/${id}`)).data.status,
  },
};

/** Where it is shown why a row of the other tables waits: to users with the rows above, or to the operator. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  campaigns: 'new_contacts_from: max_new_contacts of the enrollments',
  email_accounts: 'limited_until: provider_limit of the messages',
  failed_mails: 'last_error of the email account',
  provider_callbacks: 'outreach doctor, outreach_callbacks_oldest_seconds',
  erasures: 'outreach doctor, outreach_erasures_oldest_seconds',
  sandbox_reactions: 'is_settled of the clock of the sandbox',
  scheduled_tasks: 'outreach_due_work_poll_late_seconds',
};

describe('whatever waits', () => {
  const service = useService({ ROLE: 'all', LOG_LEVEL: 'fatal', MAILBOX_POLL_SECONDS: '1' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeAll(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterAll(() => sink.stop());

  const rowsOf = (table: string) => service.database.query<Row>(WAITING[table]?.rows ?? '', [api.workspaceId]);
  /** A running campaign whose contacts get what the fields say from an account of its own. */
  const running = async (name: string, contacts: number, fields: object, account: object = {}) => {
    const { id } = await given.mailbox(sink, { from_email: `${name}@sender.example`, ...account });
    const ids = await given.contacts(contacts, name);
    const campaign = await given.running(ids, { email_account_ids: [id], ...fields });
    return { id: campaign.id, accountId: id, path: `/campaigns/${campaign.id}` };
  };
  const steps = (fields: object = {}) => [{ subject: 'Hello', body: '<p>Hello</p>', ...fields }];
  const closed = { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '00:01' };

  /** One campaign for each reason of an enrollment, and a webhook, a mailbox and an import that wait. */
  async function wait(): Promise<void> {
    const enroll = async (id: number, name: string) =>
      api.post(`/campaigns/${id}/contacts`, { contact_ids: await given.contacts(1, name) });
    await enroll((await given.campaign()).id, 'draft');
    await running('delay', 1, { steps: steps({ delay_minutes: 600 }) });
    await running('limit', 2, { steps: steps() }, { daily_limit: 1 });
    await running('gap', 3, { steps: steps() }, { min_seconds_between: 3_600 });
    await running('new', 2, { steps: steps(), max_new_contacts_per_day: 1 });
    await running('variable', 1, { steps: steps({ subject: 'Hello {{ city }}', required_variables: ['city'] }) });
    const paused = await running('paused', 1, { steps: steps({ delay_minutes: 600 }) });
    await api.post(`${paused.path}/pause`);
    const stepless = await running('stepless', 1, { steps: steps({ delay_minutes: 600 }) });
    const { data: stored } = await api.get(`${stepless.path}/steps`);
    await api.delete(`${stepless.path}/steps/${stored[0].id}`);
    const off = await running('off', 1, { steps: steps({ delay_minutes: 600 }) });
    await api.put(`/email-accounts/${off.accountId}`, { is_active: false });
    sink.misbehave({ at: 'rcpt', matches: /^deferred/, refuse: [451, '4.3.0 later'] });
    await running('deferred', 1, { steps: steps() });
    sink.misbehave({ at: 'reply', matches: /^lost/, drop: true });
    await running('lost', 1, { steps: steps(), on_unknown: 'hold' });
    const imap = {
      imap_host: '127.0.0.1',
      imap_port: 9,
      imap_encryption: 'ssl',
      imap_username: 'a',
      imap_password: 'b',
    };
    await given.mailbox(sink, { from_email: 'unread@sender.example', ...imap });
    const hook = { url: 'https://127.0.0.1:9/', events: ['contact.created'] };
    expect((await api.post('/webhooks', hook)).status).toBe(201);
    await given.contact();
    await running('schedule', 1, { steps: steps(), schedule: await closedNow() });
  }

  /** A window of a minute that is not this one. */
  async function closedNow(): Promise<object> {
    const [now] = await service.database.query<{ hour: number }>(
      `SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::int AS hour`,
    );
    return (now?.hour ?? 0) === 0 ? { ...closed, start: '12:00', end: '12:01' } : closed;
  }

  it('is in a table whose rows show their reasons', async () => {
    const found = await service.database.query<{ name: string }>(
      `SELECT DISTINCT relation.relname AS name FROM pg_attribute attribute
       JOIN pg_class relation ON relation.oid = attribute.attrelid
       WHERE relation.relkind IN ('r', 'p') AND NOT relation.relispartition AND NOT attribute.attisdropped
         AND relation.relnamespace = 'public'::regnamespace
         AND attribute.attname ~ '^(next_[a-z]+_at|due_at|paused_until|limited_until|new_contacts_from)$'`,
    );
    const known = [...Object.keys(WAITING), ...Object.keys(SHOWN_ELSEWHERE)];
    expect(found.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('shows in the API why, unless only its turn has not come', async () => {
    await wait();
    await eventually(async () => {
      const shown: Record<string, string[]> = {};
      for (const [table, { reason }] of Object.entries(WAITING)) {
        for (const row of await rowsOf(table)) {
          const found = await reason(api, row);
          expect({ table, row, reason: found ?? (row.is_due ? 'due' : null) }).toEqual({
            table,
            row,
            reason: expect.any(String),
          });
          (shown[table] ??= []).push(found ?? 'due');
        }
      }
      const expected = ['draft', 'no_step', 'paused', 'account_inactive', 'daily_limit', 'min_seconds_between'];
      const others = [
        'max_new_contacts',
        'missing_variable',
        'temporary_failure',
        'outside_schedule',
        'result_unknown',
      ];
      expect(shown.enrollments).toEqual(expect.arrayContaining([...expected, ...others]));
      expect(Object.keys(shown)).toEqual(
        expect.arrayContaining(['due_steps', 'queued_messages', 'webhook_deliveries']),
      );
      expect(shown.mailbox_readings).toEqual([expect.not.stringMatching(/^due$/)]);
      expect(shown.webhooks).toEqual([expect.stringMatching(/^until /)]);
    });
  });
});
