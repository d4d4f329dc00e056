import { ApiClient, parseResponse } from '../support/api-client.js';
import { startCrashingDatabase } from '../support/crashing-database.js';
import { startDistributedDatabase } from '../support/distributed-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { rawReply } from '../support/replies.js';
import { ServiceProcess, WorkerProcesses } from '../support/service-process.js';
import { startService } from '../support/service.js';
import type { TestDatabase } from '../support/test-database.js';

const WORKSPACES = 20;
const CONTACTS = 100;
/** Of the contacts of each workspace. */
const [BOUNCED, REPLIED, UNSUBSCRIBED] = [4, 6, 5];
const SENT = CONTACTS - BOUNCED;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The first contacts bounce, the next ones reply, the next ones unsubscribe. */
const csvOf = (workspace: number): string => {
  const kinds = range(CONTACTS).map((number) => {
    if (number <= BOUNCED) return 'dead';
    if (number <= BOUNCED + REPLIED) return 'replies';
    return number <= BOUNCED + REPLIED + UNSUBSCRIBED ? 'leaves' : 'reads';
  });
  return ['Email,First name', ...kinds.map((kind, index) => `${kind}${index}@w${workspace}.example,Name`)].join('\n');
};

/** A workspace of the journey. */
class Traveller {
  private campaign = 0;
  private readonly given: Given;

  constructor(
    private readonly number: number,
    private readonly api: ApiClient,
    database: TestDatabase,
    private readonly sink: MailSink,
  ) {
    this.given = new Given(api, database);
  }

  /** Imports its contacts, and starts a campaign to them. */
  async start(): Promise<void> {
    await this.given.mailbox(this.sink);
    const list = await this.given.group('/lists');
    const form = new FormData();
    form.append('file', new Blob([csvOf(this.number)], { type: 'text/csv' }), 'contacts.csv');
    form.append('mapping[email]', 'Email');
    form.append('mapping[first_name]', 'First name');
    form.append('lists[]', String(list.id));
    const { data } = await this.api.call('POST', '/contacts/import', form);
    expect(data).toMatchObject({ total: CONTACTS, imported: CONTACTS, failed: 0 });
    ({ id: this.campaign } = await this.given.campaign());
    const enrolled = await this.api.post(`/campaigns/${this.campaign}/contacts/enroll-from-lists`, {
      list_ids: [list.id],
    });
    expect(enrolled.data).toMatchObject({ enrolled: CONTACTS });
    expect((await this.api.post(`/campaigns/${this.campaign}/start`)).status).toBe(200);
  }

  async isCompleted(): Promise<void> {
    const { body } = await this.api.get(`/campaigns/${this.campaign}`);
    expect(body.data?.status).toBe('completed');
  }

  /** Does what its contacts do with the mails that they have got. */
  async answer(): Promise<void> {
    const { key } = (await this.api.get('/inbound')).data;
    for (const { to, message_id: id, raw } of this.mails) {
      if (to[0]?.startsWith('replies')) await this.receive(key, rawReply({ to: id ?? '', from: to[0] }));
      if (to[0]?.startsWith('leaves')) await this.unsubscribe(raw);
    }
  }

  /** Everything that the service counts and stores about the workspace. */
  async figures() {
    const { data: stats } = await this.api.get(`/campaigns/${this.campaign}/stats`);
    const [contacts, messages, replies, lists] = [
      await this.api.get('/contacts?per_page=100&sort=email'),
      await this.api.get(`/campaigns/${this.campaign}/messages?per_page=100`),
      await this.api.get('/replies'),
      await this.api.get('/lists'),
    ].map(({ body }) => body);
    return {
      enrollments: stats.enrollments,
      messages: stats.messages,
      contacts: [contacts.meta.total, contacts.data.map((each: Contact) => [each.email, each.status])],
      sent: messages.data.map(({ status }: { status: string }) => status).sort(),
      replies: replies.data.length,
      members: lists.data.map((list: { contacts_count?: number }) => list.contacts_count),
      events: await this.events(),
    };
  }

  get mails() {
    return this.sink.mails.filter(({ to }) => to[0]?.endsWith(`@w${this.number}.example`));
  }

  private async events(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (let after = 0; ;) {
      const { data, meta } = (await this.api.get(`/events?limit=100&after=${after}`)).body;
      for (const { event } of data as { event: string }[]) counts[event] = (counts[event] ?? 0) + 1;
      if (data.length === 0) return counts;
      after = meta.next_after;
    }
  }

  private async receive(key: string, raw: string): Promise<void> {
    const init = { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: raw };
    const response = await parseResponse(await fetch(`${this.api.url}/inbound/mail/${key}`, init));
    expect(response).toMatchObject({ status: 200, data: { matched: 1 } });
  }

  private async unsubscribe(raw: string): Promise<void> {
    const link = /^List-Unsubscribe: <(.+)>/m.exec(raw)?.[1] ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const response = await fetch(link.replace('http://outreach.test', this.api.url), { method: 'POST', body });
    expect(response.status).toBe(200);
  }
}

type Contact = { readonly email: string; readonly status: string };

/** Sends the campaigns of all workspaces, through an API and two workers that are processes of their own. */
async function journey(database: TestDatabase) {
  const service = await startService({}, database);
  const api = await ServiceProcess.startApi(service);
  const workers = new WorkerProcesses(service);
  const sink = await MailSink.start();
  sink.misbehave({ at: 'rcpt', matches: /^dead/, refuse: [550, '5.1.1 The mailbox does not exist'] });
  try {
    const travellers: Traveller[] = [];
    for (const number of range(WORKSPACES)) {
      const { token, workspaceId } = await service.client();
      travellers.push(new Traveller(number, new ApiClient(api.url, token, workspaceId), database, sink));
    }
    await workers.run(2);
    for (const traveller of travellers) await traveller.start();
    for (const traveller of travellers) await eventually(() => traveller.isCompleted(), 300);
    for (const traveller of travellers) await traveller.answer();
    const figures = [];
    for (const traveller of travellers) figures.push({ ...(await traveller.figures()), got: traveller.mails.length });
    return { figures, received: sink.mails.map(({ message_id: id }) => id) };
  } finally {
    await workers.stop();
    await api.stop();
    await sink.stop();
    await service.stop();
    await database.drop();
  }
}

describe('a journey of 2,000 messages in 20 workspaces', () => {
  it('has the same figures on several nodes as on one PostgreSQL, and those of the mail server', async () => {
    const distributed = await journey(await startDistributedDatabase());
    const plain = await journey(await startCrashingDatabase());
    expect(distributed.figures).toEqual(plain.figures);
    for (const { received } of [distributed, plain]) {
      expect(received).toHaveLength(WORKSPACES * SENT);
      expect(new Set(received).size).toBe(WORKSPACES * SENT);
    }
    expect(distributed.figures).toEqual(
      Array.from({ length: WORKSPACES }, () =>
        expect.objectContaining({
          got: SENT,
          replies: REPLIED,
          messages: expect.objectContaining({
            sent: SENT,
            bounced: BOUNCED,
            replied: REPLIED,
            unsubscribed: UNSUBSCRIBED,
          }),
        }),
      ),
    );
  });
});
