import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom } from '../support/replies.js';
import { useService } from '../support/service.js';

let numbered = 0;

describe('the address of an erased person', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;
  let sink: MailSink;

  beforeAll(async () => {
    await service.startWorker();
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const newAddress = () => `quirina${++numbered}@private-person.example`;
  const find = async (email: string) => (await api.get(`/contacts?search=${email}`)).data[0];
  /** An erased address that had unsubscribed, and is on the blacklist. */
  const erased = async ({ isListed = false } = {}) => {
    const contact = await given.contact({ email: newAddress() });
    if (isListed) await api.post('/blacklist', { email: contact.email });
    else await api.post(`/contacts/${contact.id}/unsubscribe`);
    expect((await api.post(`/contacts/${contact.id}/erase`)).status).toBe(204);
    return contact.email;
  };
  const upload = (email: string) => {
    const form = new FormData();
    form.set('file', new Blob([`email\n${email}\n`]), 'contacts.csv');
    return api.post('/contacts/import', form);
  };

  it.each<[string, (email: string) => Promise<unknown>]>([
    ['POST /contacts', (email) => api.post('/contacts', { email })],
    ['PUT /contacts/by-email', (email) => api.put(`/contacts/by-email/${encodeURIComponent(email)}`, {})],
    ['PUT /contacts/by-external-id', (email) => api.put('/contacts/by-external-id/e1', { email })],
    [
      'POST /contacts/bulk-upsert',
      (email) => api.post('/contacts/bulk-upsert', { contacts: [{ email }], match: 'email', on_match: 'update' }),
    ],
    ['an import', upload],
    ['another contact that gets it', async (email) => api.put(`/contacts/${(await given.contact()).id}`, { email })],
  ])('is unsubscribed if it had unsubscribed and comes back by %s, in whatever case', async (_, create) => {
    const email = await erased();
    await create(email.toUpperCase());
    expect(await find(email)).toMatchObject({ email, status: 'unsubscribed' });
  });

  it('gets no message, test or answer if it was on the blacklist, in whatever case', async () => {
    const email = await erased({ isListed: true });
    const contact = await given.contact({ email: email.toUpperCase() });
    const account = await given.mailbox(sink);
    const other = await given.contact();
    const campaign = await given.running([contact.id, other.id], { email_account_ids: [account.id] });
    await eventually(() => expect(sink.to(other.email)).toHaveLength(1));
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`);
      expect(data.status).toBe('failed');
    });
    const [step] = (await api.get(`/campaigns/${campaign.id}/steps`)).data;
    const test = await api.post(`/campaigns/${campaign.id}/steps/${step.id}/test-send`, { to: email.toUpperCase() });
    expect([test.status, test.body.reason]).toEqual([422, 'blacklisted']);
    const mailroom = new Mailroom(service, api, given);
    const message = await mailroom.sent({ account: account.id, contact: other });
    const reply = await mailroom.replied({ to: message.message_id, from: email.toUpperCase() });
    const answer = await api.post(`/replies/${reply.id}/answer`, { body: '<p>No</p>' });
    expect([answer.status, answer.body.reason]).toEqual([422, 'blacklisted']);
    expect(sink.to(email)).toEqual([]);
  });

  it('is not the one that another contact has now, although the erased one had it before', async () => {
    const [email, corrected] = [newAddress(), newAddress()];
    const mistaken = await given.contact({ email });
    await api.put(`/contacts/${mistaken.id}`, { email: corrected });
    const owner = await given.contact({ email });
    await api.post('/blacklist', { email });
    await api.post('/blacklist', { email: corrected });
    const account = await given.mailbox(sink);
    const mailroom = new Mailroom(service, api, given);
    const message = await mailroom.sent({ account: account.id, contact: owner });
    const reply = await mailroom.replied({ to: message.message_id, from: email, text: 'Call me.' });
    expect((await api.post(`/contacts/${mistaken.id}/erase`)).status).toBe(204);
    expect((await api.get(`/replies/${reply.id}`)).data).toEqual(reply);
    expect((await api.get(`/blacklist?search=${email}`)).data).toMatchObject([{ email }]);
    expect((await api.get(`/blacklist?search=${corrected}`)).data).toEqual([]);
  });
});
