import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const CSV = `Email,First name,City
ada@example.com,Ada,London
grace@example.com,Grace,New York
not an address,Nobody,Nowhere
ADA@example.com,Ada again,London
`;

describe('a campaign to imported contacts', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());

  it('sends both steps, except to a recipient who unsubscribes with one click', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const list = (await api.post('/lists', { name: 'Customers' })).data;

    const form = new FormData();
    form.append('file', new Blob([CSV], { type: 'text/csv' }), 'contacts.csv');
    form.append('mapping[email]', 'Email');
    form.append('mapping[first_name]', 'First name');
    form.append('mapping[custom_fields.city]', 'City');
    form.append('lists[]', String(list.id));
    const imported = await api.call('POST', '/contacts/import', form);
    expect(imported.data).toMatchObject({ total: 4, imported: 2, updated: 0, skipped: 1, failed: 1 });

    const campaign = await given.campaign({
      steps: [
        { subject: 'Hello {{ first_name }}', body: '<p>How is {{ city }}?</p>' },
        { subject: 'Once more', body: '<p>Still there?</p>', delay_minutes: 60, same_thread: true },
      ],
    });
    const enrolled = await api.post(`/campaigns/${campaign.id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
    expect(enrolled.data).toMatchObject({ enrolled: 2, skipped: 0 });
    await api.post(`/campaigns/${campaign.id}/start`);
    // The delay of the second step begins when the first message is recorded as sent, after the server has it.
    await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}/stats`)).data.messages.sent).toBe(2));

    const [mail] = sink.to('ada@example.com');
    const link = /^List-Unsubscribe: <(.+)>/m.exec(mail?.raw ?? '')?.[1] ?? '';
    const target = link.replace('http://outreach.test', service.url);
    expect((await fetch(target)).status).toBe(200);
    expect((await api.get('/contacts?search=ada')).data[0].status).toBe('active');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(target, { method: 'POST', body })).status).toBe(200);

    const ada = (await api.get('/contacts?search=ada')).data[0];
    expect(ada).toMatchObject({ status: 'unsubscribed', unsubscribed_at: expect.any(String) });
    const ended = await api.get(`/campaigns/${campaign.id}/contacts/${ada.id}`);
    expect(ended.data.status).toBe('unsubscribed');

    service.clocks.advance(api.workspaceId, { hours: 1 });
    await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
    expect(sink.to('ada@example.com')).toHaveLength(1);
    expect(sink.to('grace@example.com')).toHaveLength(2);
    const { data: stats } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(stats.messages).toMatchObject({ sent: 2, unsubscribed: 1 });
    expect(stats.enrollments).toMatchObject({ completed: 1, unsubscribed: 1 });
  });
});
