import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** The statements of quotas and tokens are for many requests together. */
const OF_MANY_REQUESTS = /quota_counters|api_tokens/;

/** What the driver sends. `begin`: the statements that begin the transaction, in the same message. */
interface SentStatement {
  readonly text: string;
  readonly name?: string;
  readonly begin?: readonly string[];
}

describe('the statements that a request sends to the database', () => {
  const service = useService();
  let api: ApiClient;
  let path: string;
  let emails = 0;

  const create = (fields = {}) => api.post('/contacts', { email: `${++emails}@example.com`, ...fields });

  /** The statements of a request that was sent twice before, so that what can be prepared is. */
  async function sentBy(request: () => Promise<unknown>): Promise<SentStatement[]> {
    await request();
    await request();
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await request();
    const calls = query.mock.calls as unknown as [string | SentStatement][];
    const sent = calls.map(([statement]) => (typeof statement === 'string' ? { text: statement } : statement));
    query.mockRestore();
    return sent.filter(({ text }) => !OF_MANY_REQUESTS.test(text));
  }

  beforeAll(async () => {
    api = await service.client();
    const { body } = await create();
    path = `/contacts/${body.id}`;
  });

  /** How a message that is sent to the database is meant to be: prepared, so that it is planned once. */
  const isPrepared = ({ name }: SentStatement): boolean => name !== undefined;
  const beginsTransaction = ({ begin }: SentStatement): boolean => begin?.includes('BEGIN') ?? false;

  it.each([
    ['reading a contact', () => api.get(path)],
    ['reading the first page of a list with its total', () => api.get('/contacts?per_page=15')],
  ])('%s takes one, which is prepared', async (_request, request) => {
    expect((await sentBy(request)).map(isPrepared)).toEqual([true]);
  });

  it('a filter takes one, which is planned for its value', async () => {
    expect((await sentBy(() => api.get('/contacts?status=unsubscribed'))).map(isPrepared)).toEqual([false]);
  });

  it.each([
    ['creating a contact', () => create({ first_name: 'New' }), 0],
    ['updating a contact', () => api.put(path, { first_name: `${++emails}` }), 1],
  ])('%s takes four messages: the first change begins the transaction', async (_request, request, firstChange) => {
    const sent = await sentBy(request);
    expect(sent).toHaveLength(4);
    expect(sent.findIndex(beginsTransaction)).toBe(firstChange);
  });

  it('a page of enrollments of an active campaign takes two for the times of its next messages', async () => {
    const given = new Given(api, service.database);
    const sink = await MailSink.start();
    await given.mailbox(sink);
    await sink.stop();
    const contacts = [await given.contact(), await given.contact()];
    const steps = [{ subject: 'Hello', body: '<p>Hello</p>', delay_minutes: 60 }];
    const settings = { max_new_contacts_per_day: 1, min_days_since_last_message: 3 };
    const { id } = await given.running(
      contacts.map((contact) => contact.id),
      { steps, ...settings },
    );
    const sent = await sentBy(() => api.get(`/campaigns/${id}/contacts`));
    const ofTimes = sent.filter(({ text }) =>
      /due_steps|email_accounts|absences|messages|new_contact_counts/.test(text),
    );
    expect(ofTimes).toHaveLength(2);
  });
});
