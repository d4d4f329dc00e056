// An end-to-end suite in a sandbox workspace: no mail leaves it, and days pass in seconds.
const { api, advance, messagesTo, allEvents } = require('./support/outreach');
const { WebhookReceiver, isSigned } = require('./support/webhook-receiver');

const DAY_SECONDS = 86_400;
const FOLLOW_UP_DAYS = 3;
/** The tag of an address says what its owner does (docs/sandbox.md). */
const ADA = 'ada@example.com';
const BEN = 'ben+replied@example.com';
const CLEO = 'cleo+bounced@example.com';
const DAN = 'dan+unsubscribed@example.com';
const PEOPLE = { Ada: ADA, Ben: BEN, Cleo: CLEO, Dan: DAN };

const receiver = new WebhookReceiver();
const contacts = {};
let campaign;

/** Returns the enrollment of a person in the campaign. */
const enrollmentOf = (name) => api.get(`/campaigns/${campaign.id}/contacts/${contacts[name].id}`);

beforeAll(async () => {
  const events = ['email.sent', 'email.bounced', 'email.replied', 'email.unsubscribed'];
  const url = await receiver.start();
  ({ secret: receiver.secret } = await api.post('/webhooks', { url, events }));

  await api.post('/email-accounts', {
    ...{ name: 'Nora', type: 'smtp', from_email: 'nora@harbour.example', from_name: 'Nora' },
    ...{ smtp_host: 'smtp.harbour.example', smtp_port: 587, smtp_username: 'nora', smtp_password: 'any' },
  });
  for (const [first_name, email] of Object.entries(PEOPLE))
    contacts[first_name] = await api.put(`/contacts/by-email/${encodeURIComponent(email)}`, { first_name });

  const template = await api.post('/templates', {
    name: 'Question',
    subject: 'A question for {{ first_name }}',
    body: '<p>Hello {{ first_name }}, may I call you?</p>',
  });
  const followUp = { subject: 'Once more', body: '<p>Shall I write again?</p>' };
  campaign = await api.post('/campaigns', {
    name: 'Autumn',
    steps: [{ template_id: template.id }, { ...followUp, delay_minutes: FOLLOW_UP_DAYS * 24 * 60 }],
    // Of four people one bounces; campaigns would be paused at that rate.
    stop_at_bounce_rate: null,
  });
  await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: Object.values(contacts).map(({ id }) => id) });
  await api.post(`/campaigns/${campaign.id}/start`);
  await advance((FOLLOW_UP_DAYS + 1) * DAY_SECONDS);
});

afterAll(() => receiver.stop());

test('An upsert of a known address changes the contact instead of creating another one.', async () => {
  const path = `/contacts/by-email/${encodeURIComponent(ADA)}`;
  const { status, body } = await api.request('PUT', path, { first_name: 'Ada', company: 'Harbour' });
  const { id, company } = body.data ?? body;
  expect([status, id, company]).toEqual([200, contacts.Ada.id, 'Harbour']);
});

test('A person who does nothing gets both messages, the second one three days after the first.', async () => {
  const [first, second, ...others] = await messagesTo(ADA);
  expect([first.subject, second.subject, others]).toEqual(['A question for Ada', 'Once more', []]);
  const seconds = (Date.parse(second.created_at) - Date.parse(first.created_at)) / 1000;
  expect(Math.floor(seconds / DAY_SECONDS)).toBe(FOLLOW_UP_DAYS);

  const { html, headers } = await api.get(`/sandbox/messages/${first.id}`);
  expect(html).toContain('Hello Ada, may I call you?');
  expect(headers['List-Unsubscribe']).toMatch(/^<https?:/);
  expect(await enrollmentOf('Ada')).toMatchObject({ status: 'completed' });
});

test('A reply stops the sequence, and the webhook reports it.', async () => {
  expect(await messagesTo(BEN)).toHaveLength(1);
  expect(await enrollmentOf('Ben')).toMatchObject({ status: 'completed' });
  expect(receiver.dataOf('email.replied')).toMatchObject([{ contact_id: contacts.Ben.id }]);
});

test('A bounce stops the sequence, and the contact is marked.', async () => {
  expect(await messagesTo(CLEO)).toHaveLength(1);
  expect(await api.get(`/contacts/${contacts.Cleo.id}`)).toMatchObject({ status: 'bounced' });
  expect(receiver.dataOf('email.bounced')).toMatchObject([{ contact_id: contacts.Cleo.id }]);
});

test('A person who unsubscribes gets nothing more.', async () => {
  expect(await messagesTo(DAN)).toHaveLength(1);
  expect(await enrollmentOf('Dan')).toMatchObject({ status: 'unsubscribed' });
  expect(await api.get(`/contacts/${contacts.Dan.id}`)).toMatchObject({ status: 'unsubscribed' });
  expect(receiver.dataOf('email.unsubscribed')).toMatchObject([{ contact_id: contacts.Dan.id }]);
});

test('Every webhook is signed with the secret, and a changed body is refused.', async () => {
  expect(receiver.dataOf('email.sent')).toHaveLength(5);
  expect(receiver.refused).toBe(0);
  const headers = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  expect(isSigned(receiver.secret, Buffer.from('{}'), { ...headers, 'webhook-signature': 'v1,AAAA' })).toBe(false);
});

test('The event feed has every event that the webhook has received, each once and in order.', async () => {
  const events = await allEvents();
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  const sent = events.filter(({ event }) => event === 'email.sent').map(({ data }) => data.message_id);
  expect(sent.sort()).toEqual(receiver.dataOf('email.sent').map(({ message_id: id }) => id).sort());
});
