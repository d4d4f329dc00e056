import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const ACCOUNT = { name: 'Sales', from_email: 'sales@sender.example', from_name: 'Sales' };
const SMTP = {
  type: 'smtp',
  smtp_host: 'mail.nowhere.invalid',
  smtp_port: 587,
  smtp_username: 'a',
  smtp_password: 'b',
};
const SENDGRID = { type: 'sendgrid', sendgrid_api_key: 'SG.nobody-has-this-key' };
const LINKS = '<p><a href="https://acme.example/offer">an offer</a></p>';

describe('the mail server of a sandbox', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    api = await service.sandbox();
    given = new Given(api, service.database);
  });

  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;

  /** A campaign that was sent to these addresses from an account. */
  async function sentTo(addresses: readonly string[], account: object = SMTP): Promise<Schema<'Campaign'>> {
    const { status, body } = await api.post('/email-accounts', { ...ACCOUNT, ...account });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const ids: number[] = [];
    for (const email of addresses) ids.push((await given.contact({ email })).id);
    return given.running(ids, {
      steps: [{ subject: 'Hello', body: LINKS }],
      ...{ track_opens: true, track_clicks: true, on_unknown: 'hold' },
      ...{ stop_at_bounce_rate: null, stop_at_complaint_rate: null },
    });
  }

  const statuses = async (campaign: { id: number }): Promise<Record<string, string>> =>
    Object.fromEntries((await messagesOf(campaign)).map(({ email, status }) => [email, status]));
  const reactions = (): Promise<{ id: string }[]> =>
    service.database.query('SELECT id FROM sandbox_reactions WHERE workspace_id = $1', [api.workspaceId]);
  const react = async (): Promise<void> => {
    service.clocks.advance(api.workspaceId, { minutes: 10 });
    await eventually(async () => expect(await reactions()).toEqual([]));
  };

  it('accepts a message to slow after a minute by the clock of the workspace', async () => {
    const campaign = await sentTo(['anna+slow+opened@recipient.example', 'bob@recipient.example']);
    await eventually(async () =>
      expect(await statuses(campaign)).toEqual({
        'anna+slow+opened@recipient.example': 'sending',
        'bob@recipient.example': 'sent',
      }),
    );
    expect((await api.get('/sandbox/messages')).body.meta.total).toBe(1);
    service.clocks.advance(api.workspaceId, { seconds: 60 });
    await eventually(async () =>
      expect(await statuses(campaign)).toMatchObject({ 'anna+slow+opened@recipient.example': 'sent' }),
    );
    const [slow, fast] = (await api.get('/sandbox/messages')).data;
    expect(Date.parse(slow.created_at) - Date.parse(fast.created_at)).toBeGreaterThanOrEqual(59_000);
    expect(await reactions()).toHaveLength(1);
  });

  it('reports about messages of SendGrid accounts by events', async () => {
    const tags = ['bounced', 'soft', 'complained', 'delivered', 'rejected', 'opened'];
    const campaign = await sentTo(
      tags.map((tag) => `anna+${tag}@recipient.example`),
      SENDGRID,
    );
    await eventually(async () =>
      expect(Object.values(await statuses(campaign)).sort()).toEqual([
        'failed',
        'sent',
        'sent',
        'sent',
        'sent',
        'sent',
      ]),
    );
    await react();
    await eventually(async () =>
      expect(await statuses(campaign)).toEqual({
        'anna+bounced@recipient.example': 'bounced',
        'anna+soft@recipient.example': 'bounced',
        'anna+complained@recipient.example': 'complained',
        'anna+delivered@recipient.example': 'delivered',
        'anna+rejected@recipient.example': 'failed',
        'anna+opened@recipient.example': 'sent',
      }),
    );
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.messages).toMatchObject({ delivered: 1, complained: 1, bounced: 2 });
    });
    const contact = (await api.get('/contacts?search=bounced')).data[0];
    const { data: activity } = await api.get(`/contacts/${contact.id}/activity`);
    expect(activity).toContainEqual(
      expect.objectContaining({
        type: 'contact.status_changed',
        data: expect.objectContaining({ source: 'provider' }),
      }),
    );
  });

  it('records what follows once, also if two workers try', async () => {
    const campaign = await sentTo(['anna+opened+clicked+replied@recipient.example']);
    await service.startWorker();
    await eventually(async () => expect(Object.values(await statuses(campaign))).toEqual(['sent']));
    await react();
    service.clocks.advance(api.workspaceId, { minutes: 1 });
    await eventually(async () =>
      expect(await messagesOf(campaign)).toMatchObject([
        { opened_at: expect.any(String), clicked_at: expect.any(String), replied_at: expect.any(String) },
      ]),
    );
    const events = await service.database.query<{ kind: string }>(
      'SELECT kind FROM tracking_events WHERE workspace_id = $1 ORDER BY id',
      [api.workspaceId],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['open', 'click']);
    expect((await api.get('/replies')).body.meta.total).toBe(1);
  });

  it('repeats what a worker has begun that died', async () => {
    const campaign = await sentTo(['anna+opened@recipient.example']);
    await eventually(async () => expect(Object.values(await statuses(campaign))).toEqual(['sent']));
    // As the lease of a worker leaves it.
    await service.database.query(
      `UPDATE sandbox_reactions SET attempts = 1, next_attempt_at = now() + interval '1 hour' WHERE workspace_id = $1`,
      [api.workspaceId],
    );
    service.clocks.advance(api.workspaceId, { minutes: 10 });
    expect(await reactions()).toHaveLength(1);
    await service.database.query('UPDATE sandbox_reactions SET next_attempt_at = now() WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    await eventually(async () => expect(await reactions()).toEqual([]));
  });

  it('stores the newest 5,000 messages of a workspace', async () => {
    await service.database.query(
      `INSERT INTO sandbox_messages (workspace_id, from_address, to_address, subject, message_id, html, text, raw, bytes, event_provider)
       SELECT $1, 'a@b.example', 'old' || n || '@recipient.example', 's', 'm', '', '', '', 0, NULL FROM generate_series(1, 5005) n`,
      [api.workspaceId],
    );
    await sentTo(['anna@recipient.example']);
    await eventually(async () =>
      expect((await api.get('/sandbox/messages')).data[0].to).toBe('anna@recipient.example'),
    );
    const { meta } = (await api.get('/sandbox/messages?per_page=1')).body;
    expect(meta.total).toBe(5_000);
    const dropped = await api.get('/sandbox/messages?to=old6@recipient.example');
    const oldest = await api.get('/sandbox/messages?to=old7@recipient.example');
    expect([dropped.data.length, oldest.data.length]).toEqual([0, 1]);
  });
});
