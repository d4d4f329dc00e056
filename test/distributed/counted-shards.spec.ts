import { writeFileSync } from 'node:fs';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { NodeCommands } from '../support/node-commands.js';
import { rawReply } from '../support/replies.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

const CONTACTS = 60;

describe('a journey on several nodes', () => {
  trustReceivers();
  let service: TestService;
  let sink: MailSink;
  let recorded: NodeCommands;
  let fixture: WebhookFixture;
  let api: ApiClient;

  beforeAll(async () => {
    const database = await createTestDatabase();
    recorded = await NodeCommands.of(database);
    service = await startService({}, database);
    sink = await MailSink.start();
    fixture = await WebhookFixture.start(service);
    ({ api } = fixture);
    await service.startWorker();
  });
  afterAll(async () => {
    const rows = recorded.statements.map((statement) => ({ ...statement, places: recorded.placesOf(statement).size }));
    writeFileSync('/tmp/scale-statements.json', JSON.stringify(rows));
    recorded.stop();
    await service.stop();
    await service.database.drop();
    await fixture.receiver.stop();
    await sink.stop();
  });

  it('runs', async () => {
    const { given } = fixture;
    const hook = await fixture.subscribe(['contact.created', 'email.sent', 'email.replied']);
    for (const name of ['a', 'b']) await given.mailbox(sink, { from_email: `${name}@sender.example` });
    const list = await given.group('/lists');
    const rows = Array.from({ length: CONTACTS }, (_, n) => `reader${n}@example.com,Name${n}`);
    const form = new FormData();
    form.append('file', new Blob([['email,first_name', ...rows].join('\n')], { type: 'text/csv' }), 'contacts.csv');
    form.append('mapping[email]', 'email');
    form.append('mapping[first_name]', 'first_name');
    form.append('lists[]', String(list.id));
    expect((await api.call('POST', '/contacts/import', form)).data).toMatchObject({ imported: CONTACTS });
    const contact = await given.contact({ first_name: 'Ada' });
    await api.put(`/contacts/${contact.id}`, { first_name: 'Grace' });
    const segment = await given.segment([{ field: 'first_name', operator: 'starts_with', value: 'Name' }]);
    await api.get(`/segments/${segment.id}/contacts`);
    const steps = [
      { subject: 'Hello {{ first_name }}', body: '<p>Hello {{ first_name }}</p>' },
      { subject: 'Again', body: '<p>Again</p>', delay_minutes: 60 },
    ];
    const campaign = await given.campaign({ steps });
    await api.post(`/campaigns/${campaign.id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
    await api.post(`/campaigns/${campaign.id}/start`);
    const stats = async () => (await api.get(`/campaigns/${campaign.id}/stats`)).data;
    await eventually(async () => expect((await stats()).messages.sent).toBe(CONTACTS));
    const [mail] = sink.to('reader7@example.com');
    const { mail_url: url } = (await api.get('/inbound')).data;
    const body = rawReply({ to: mail?.message_id ?? '', from: 'reader7@example.com' });
    const received = await fetch(url.replace('http://outreach.test', service.url), {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body,
    });
    expect(received.status).toBe(200);
    service.clocks.advance(api.workspaceId, { hours: 1 });
    await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
    await eventually(() => expect(fixture.receiver.at(hook.path)).toHaveLength(CONTACTS + 1 + 2 * CONTACTS - 1 + 1));
  });
});
