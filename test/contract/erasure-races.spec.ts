import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { occurrences, storedData } from '../support/stored-data.js';

const EMAIL = 'quirina.zebulon@private-person.example';

describe('erasing a contact while something else is about it', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let worker: ServiceProcess;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'debug' });
    sink = await MailSink.start();
  });
  afterAll(async () => {
    await worker.stop();
    await sink.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const erase = (id: number) => api.post(`/contacts/${id}/erase`);
  const left = async () => {
    const log = new Map([['log', worker.errorOutput]]);
    return [...occurrences(await storedData(service.database), [EMAIL]), ...occurrences(log, [EMAIL])];
  };

  it('does not wait for the mail server that takes a message to it, and stores nothing of the result', async () => {
    let release: () => void = () => undefined;
    let hasMail = false;
    const released = new Promise<void>((resolve) => (release = resolve));
    const wait = () => {
      hasMail = true;
      return released;
    };
    sink.misbehave({ at: 'reply', matches: /private-person/, wait });
    const account = await given.mailbox(sink);
    const [contact, other] = [await given.contact({ email: EMAIL }), await given.contact()];
    const campaign = await given.running([contact.id, other.id], { email_account_ids: [account.id] });
    await eventually(() => expect(hasMail).toBe(true));
    expect((await erase(contact.id)).status).toBe(204);
    release();
    await eventually(async () => {
      expect(await service.database.query('SELECT 1 FROM message_claims')).toEqual([]);
      expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    });
    const { messages, enrollments } = (await api.get(`/campaigns/${campaign.id}/stats`)).data;
    expect([messages.sent, messages.queued, enrollments.completed]).toEqual([1, 0, 1]);
    expect((await api.get(`/campaigns/${campaign.id}/messages`)).data).toHaveLength(1);
    expect((await api.get('/events?after=0&event=email.sent')).data).toMatchObject([{ data: { email: other.email } }]);
    expect(await left()).toEqual([]);
    expect(worker.errorOutput).not.toMatch(/"level":"(error|warn)"/);
  });

  it('waits for an import that changes it', async () => {
    const contact = await given.contact({ email: EMAIL, first_name: 'Old' });
    const lock = await BlockingTransaction.begin(service.database, 'LOCK TABLE import_refused_rows IN SHARE MODE', []);
    const form = new FormData();
    form.set('file', new Blob([`email,first_name\n${EMAIL},New\n${EMAIL}@,Bad\n`]), 'contacts.csv');
    form.set('skip_duplicates', 'false');
    const importing = api.post('/contacts/import', form);
    await lock.blocks(1);
    const erasing = erase(contact.id);
    await lock.blocks(2);
    await lock.end();
    const { data } = await importing;
    expect(data).toMatchObject({ updated: 1, failed: 1 });
    expect((await erasing).status).toBe(204);
    expect((await api.get('/contacts')).data).toEqual([]);
    expect((await api.get(`/imports/${data.import_id}`)).data.errors).toMatchObject([{ row: 3, value: null }]);
    expect(await left()).toEqual([]);
  });
});
