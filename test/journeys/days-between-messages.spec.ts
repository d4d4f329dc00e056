import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const DAY_MS = 86_400_000;
const WAITING = { status: 'queued', reason: 'min_days_since_last_message' };

describe('a campaign that leaves days between two messages to a contact', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));

  it('waits for the contacts who have got one of another campaign, and writes to the others', async () => {
    const [known, other] = [await given.contact(), await given.contact()];
    const first = await given.running([known.id]);
    await completed(first);
    const [sent] = await messages(first);
    const campaign = await given.running([known.id, other.id], { min_days_since_last_message: 2 });
    await eventually(async () => {
      const all = await messages(campaign);
      expect(all.find((message) => message.contact_id === other.id)).toMatchObject({ status: 'sent' });
      expect(all.find((message) => message.contact_id === known.id)).toMatchObject(WAITING);
    });
    const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${known.id}`);
    const until = new Date(Date.parse(String(sent?.sent_at)) + 2 * DAY_MS).toISOString();
    expect(data).toMatchObject({ next_send_at: until, waiting_for: 'min_days_since_last_message' });
    service.clocks.advance(api.workspaceId, { days: 2 });
    await completed(campaign);
    expect(sink.to(known.email)).toHaveLength(2);
  });

  it('leaves them between its own steps, and none when it is updated', async () => {
    const contact = await given.contact();
    const steps = ['First', 'Second'].map((subject) => ({ subject, body: `<p>${subject}</p>` }));
    const campaign = await given.running([contact.id], { steps, min_days_since_last_message: 365 });
    await eventually(async () => expect(await messages(campaign)).toMatchObject([WAITING, { status: 'sent' }]));
    expect((await api.put(`/campaigns/${campaign.id}`, { min_days_since_last_message: null })).status).toBe(200);
    await completed(campaign);
    expect(sink.to(contact.email)).toHaveLength(2);
  });

  it('sends one message to each contact that two such campaigns write to at the same time', async () => {
    const contacts = await given.contacts(40);
    const second = await given.mailbox(sink, { from_email: 'second@sender.example' });
    const fields = { min_days_since_last_message: 1 };
    const campaigns = [
      await given.campaign(fields),
      await given.campaign({ ...fields, email_account_ids: [second.id] }),
    ];
    for (const { id } of campaigns) await api.post(`/campaigns/${id}/contacts`, { contact_ids: contacts });
    await Promise.all(campaigns.map(({ id }) => api.post(`/campaigns/${id}/start`)));
    await eventually(async () => {
      const all = (await Promise.all(campaigns.map(messages))).flat();
      expect(all.filter(({ status }) => status === 'sent')).toHaveLength(40);
      expect(all.filter(({ reason }) => reason === WAITING.reason)).toHaveLength(40);
    });
    expect(new Set(sink.mails.flatMap(({ to }) => to)).size).toBe(40);
    expect(sink.mails).toHaveLength(40);
  });
});
