import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useSharedService } from '../support/service.js';

const DAY_MS = 86_400_000;
/** Noon in UTC, at which the clock of the workspace stands: no day ends during a test. */
const TODAY = '2026-11-20';
const NOON = Date.parse(`${TODAY}T12:00:00Z`);

describe('next_send_at and waiting_for of an enrollment', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    service.clocks.stop(api.workspaceId, new Date(NOON));
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());

  const steps = (delayMinutes: number) => [{ subject: 'Hello', body: '<p>Hello</p>', delay_minutes: delayMinutes }];
  const nextOf = async (campaign: { id: number }, contact: { id: number }) => {
    const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`);
    const list = await api.get(`/campaigns/${campaign.id}/contacts`);
    expect(list.data.find(({ id }: { id: number }) => id === data.id)).toEqual(data);
    return { next_send_at: data.next_send_at as string | null, waiting_for: data.waiting_for as string | null };
  };
  const running = async (fields: object = {}, account: object = {}) => {
    const { id: accountId } = await given.mailbox(sink, account);
    const contact = await given.contact();
    return { contact, accountId, campaign: await given.running([contact.id], { steps: steps(0), ...fields }) };
  };

  it('are the time at which its delay ends, and no reason', async () => {
    const { campaign, contact } = await running({ steps: steps(180) });
    const { next_send_at: next, waiting_for: reason } = await nextOf(campaign, contact);
    expect([next, reason]).toEqual([new Date(NOON + 180 * 60_000).toISOString(), null]);
  });

  it('are the first time of the schedule, and the schedule', async () => {
    const { campaign, contact } = await running({
      schedule: { timezone: 'UTC', days: [1], start: '09:00', end: '09:30' },
    });
    const { next_send_at: next, waiting_for: reason } = await nextOf(campaign, contact);
    // The Monday after that Friday.
    expect([next, reason]).toEqual(['2026-11-23T09:00:00.000Z', 'outside_schedule']);
  });

  it('are the next day in UTC, and the daily limit', async () => {
    const { campaign, contact, accountId } = await running({}, { daily_limit: 1 });
    await service.database.query(`UPDATE email_accounts SET sent_count = 1, counted_on = $2 WHERE id = $1`, [
      accountId,
      TODAY,
    ]);
    const tomorrow = new Date(Math.ceil(NOON / DAY_MS) * DAY_MS).toISOString();
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: tomorrow, waiting_for: 'daily_limit' });
  });

  it('have no time while something has to change: the account, the campaign', async () => {
    const { campaign, contact, accountId } = await running();
    expect(await nextOf(campaign, contact)).toMatchObject({ waiting_for: null, next_send_at: expect.any(String) });
    await api.put(`/email-accounts/${accountId}`, { is_active: false });
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: 'account_inactive' });
    await api.post(`/campaigns/${campaign.id}/pause`);
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: 'paused' });
  });

  it('are the draft before the start, and null after the end', async () => {
    const contact = await given.contact();
    const campaign = await given.campaign();
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: 'draft' });
    await api.post(`/campaigns/${campaign.id}/contacts/${contact.id}/skip`);
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: null });
  });

  it('are the unknown result of its message, until that is retried', async () => {
    const { campaign, contact } = await running();
    await service.database.query(
      `WITH taken AS (DELETE FROM due_steps WHERE workspace_id = $1 RETURNING enrollment_id)
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, status, attempts)
       SELECT $1, campaign_id, id, contact_id, current_step_id,
         (SELECT id FROM email_accounts WHERE workspace_id = $1), 'unknown', 1
       FROM enrollments JOIN taken ON taken.enrollment_id = id WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: 'result_unknown' });
    await api.post(`/campaigns/${campaign.id}/pause`);
    expect(await nextOf(campaign, contact)).toEqual({ next_send_at: null, waiting_for: 'paused' });
    await api.post(`/campaigns/${campaign.id}/start`);
    expect((await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'unknown' })).status).toBe(202);
    expect(await nextOf(campaign, contact)).toMatchObject({ next_send_at: expect.any(String), waiting_for: null });
  });

  it('are those of the account that the contact has got its messages from', async () => {
    const { id: first } = await given.mailbox(sink, { daily_limit: 1 });
    const { id: second } = await given.mailbox(sink, { from_email: 'second@sender.example' });
    const [one, two] = [await given.contact(), await given.contact()];
    const campaign = await given.running([one.id, two.id], { email_account_ids: [first, second], steps: steps(0) });
    await service.database.query(
      `WITH full_account AS (
         UPDATE email_accounts SET sent_count = 1, counted_on = $3 WHERE workspace_id = $4 AND id = $1)
       UPDATE due_steps due SET email_account_id = $1 FROM enrollments enrollment
       WHERE enrollment.workspace_id = $4 AND enrollment.contact_id = $2
         AND due.workspace_id = $4 AND due.enrollment_id = enrollment.id`,
      [first, one.id, TODAY, api.workspaceId],
    );
    expect((await nextOf(campaign, one)).waiting_for).toBe('daily_limit');
    expect((await nextOf(campaign, two)).waiting_for).toBeNull();
  });
});
