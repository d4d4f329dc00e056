import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useSharedService } from '../support/service.js';

describe('POST /campaigns/{id}/messages/retry', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    account = await given.mailbox(sink);
  });

  /** A campaign with one message of this status for each contact, as the sending engine writes them. */
  async function campaignWith(status: 'failed' | 'unknown', contacts: readonly number[]): Promise<Schema<'Campaign'>> {
    const campaign = await given.campaign();
    await service.database.query(
      `WITH enrollment AS (
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status, current_step_id)
         SELECT step.workspace_id, step.campaign_id, contact, CASE $4 WHEN 'failed' THEN 'failed' ELSE 'pending' END,
           step.id
         FROM campaign_steps step, unnest($2::bigint[]) contact
         WHERE step.workspace_id = $1 AND step.campaign_id = $3 RETURNING *)
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, status, attempts)
       SELECT workspace_id, campaign_id, id, contact_id, current_step_id, $5, $4, 6 FROM enrollment`,
      [api.workspaceId, contacts, campaign.id, status, account.id],
    );
    return campaign;
  }
  const retry = (campaign: { id: number }, body: object) => api.post(`/campaigns/${campaign.id}/messages/retry`, body);
  const messages = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;
  const enrollments = async ({ id }: { id: number }): Promise<Schema<'Enrollment'>[]> =>
    (await api.get(`/campaigns/${id}/contacts`)).data;

  it('queues failed messages with their first attempt until the campaign is started, and their enrollments run again', async () => {
    const campaign = await campaignWith('failed', await given.contacts(3));
    expect(await retry(campaign, { status: 'failed' })).toMatchObject({ status: 202, body: { data: { count: 3 } } });
    for (const message of await messages(campaign))
      expect(message).toMatchObject({ status: 'queued', reason: 'paused', attempts: 0 });
    for (const enrollment of await enrollments(campaign)) expect(enrollment).toMatchObject({ status: 'pending' });
    expect(await retry(campaign, { status: 'failed' })).toMatchObject({ status: 202, body: { data: { count: 0 } } });
  });

  it('makes a completed campaign active, whose messages are due then', async () => {
    const campaign = await campaignWith('failed', await given.contacts(2));
    await api.post(`/campaigns/${campaign.id}/start`);
    expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    expect((await retry(campaign, { status: 'unknown' })).data).toEqual({ count: 0 });
    expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    expect((await retry(campaign, { status: 'failed' })).data).toEqual({ count: 2 });
    expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'active', completed_at: null });
    for (const message of await messages(campaign)) expect(message).toMatchObject({ status: 'queued', reason: null });
    for (const each of await enrollments(campaign))
      expect(each).toMatchObject({ status: 'pending', waiting_for: null });
  });

  it('makes a campaign active that a former version has completed while a result was unknown, also for one message', async () => {
    const campaign = await campaignWith('unknown', await given.contacts(1));
    await service.database.query(`UPDATE campaigns SET status = 'completed', completed_at = now() WHERE id = $1`, [
      campaign.id,
    ]);
    const [message] = await messages(campaign);
    const path = `/campaigns/${campaign.id}/messages/${message?.id}/retry`;
    expect(await api.post(path)).toMatchObject({ status: 200, body: { data: { status: 'queued', reason: null } } });
    expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'active', completed_at: null });
  });

  it('queues unknown messages, and leaves failed ones alone', async () => {
    const unknown = await campaignWith('unknown', await given.contacts(2));
    const failed = await campaignWith('failed', await given.contacts(2, 'failed'));
    expect((await retry(unknown, { status: 'failed' })).data).toEqual({ count: 0 });
    expect((await retry(failed, { status: 'unknown' })).data).toEqual({ count: 0 });
    expect((await retry(unknown, { status: 'unknown' })).data).toEqual({ count: 2 });
    expect((await messages(failed)).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it.each(['failed', 'unknown'] as const)('leaves out contacts that may not be written to (%s)', async (status) => {
    const contacts = await Promise.all([given.contact(), given.contact(), given.contact()]);
    const [written, unsubscribed, blacklisted] = contacts;
    const campaign = await campaignWith(
      status,
      contacts.map(({ id }) => id),
    );
    await service.database.query(`UPDATE contacts SET status = 'unsubscribed' WHERE id = $1`, [unsubscribed?.id]);
    await (await service.client()).post('/blacklist', { email: blacklisted?.email });
    expect((await retry(campaign, { status })).data).toEqual({ count: 1 });
    const queued = (await messages(campaign)).filter((message) => message.status === 'queued');
    expect(queued).toMatchObject([{ contact_id: written?.id }]);
  });

  it('plans failed messages of a deleted account again, and does not send unknown ones from another account', async () => {
    const failed = await campaignWith('failed', await given.contacts(2));
    const unknown = await campaignWith('unknown', await given.contacts(2, 'unknown'));
    await service.database.query(`UPDATE messages SET uncertain_attempts = 2 WHERE campaign_id = $1`, [unknown.id]);
    await given.mailbox(sink, { from_email: 'other@sender.example' });
    expect(await api.delete(`/email-accounts/${account.id}`)).toMatchObject({ status: 204 });
    expect((await retry(failed, { status: 'failed' })).data).toEqual({ count: 2 });
    expect(await messages(failed)).toEqual([]);
    for (const enrollment of await enrollments(failed)) expect(enrollment).toMatchObject({ status: 'pending' });
    expect((await retry(unknown, { status: 'unknown' })).data).toEqual({ count: 0 });
    const [message] = await messages(unknown);
    expect(await api.post(`/campaigns/${unknown.id}/messages/${message?.id}/retry`)).toMatchObject({
      status: 422,
      body: { reason: 'no_account' },
    });
  });

  it('queues more messages than one statement reads', async () => {
    const campaign = await campaignWith('failed', await given.contacts(2_500, 'many'));
    // As the worker of a running service does.
    await service.database.query('ANALYZE contacts, enrollments, messages');
    expect((await retry(campaign, { status: 'failed' })).data).toEqual({ count: 2_500 });
  });

  it('queues messages in chunks that are committed one by one, also with an Idempotency-Key', async () => {
    const campaign = await campaignWith('failed', await given.contacts(2_500, 'chunk'));
    await service.database.query('ANALYZE contacts, enrollments, messages');
    const last = `SELECT 1 FROM messages WHERE workspace_id = $1 AND campaign_id = $2
      ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`;
    const lock = await BlockingTransaction.begin(service.database, last, [api.workspaceId, campaign.id]);
    const headers = { 'idempotency-key': 'chunks' };
    const request = api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'failed' }, headers);
    await lock.blocks(1);
    const queued = `SELECT count(*)::int AS count FROM queued_messages WHERE campaign_id = $1`;
    expect(await service.database.query(queued, [campaign.id])).toEqual([{ count: 2_000 }]);
    await lock.end();
    expect(await request).toMatchObject({ status: 202, body: { data: { count: 2_500 } } });
    const repeated = await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'failed' }, headers);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.data).toEqual({ count: 2_500 });
  });

  it.each([[{}], [{ status: 'sent' }], [{ status: null }]])('refuses %j with an error of status', async (body) => {
    const campaign = await given.campaign();
    expect(await retry(campaign, body)).toMatchObject({ status: 422, body: { errors: { status: expect.anything() } } });
  });

  it('needs the permission campaigns:write', async () => {
    const reader = await service.client(['campaigns:read']);
    expect(await reader.post('/campaigns/1/messages/retry', { status: 'failed' })).toMatchObject({ status: 403 });
  });
});
