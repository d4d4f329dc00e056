import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';

const ACCOUNTS = 30;

describe('sending for several workspaces', () => {
  const service = useService();
  let stalling: MailSink;
  let responding: MailSink;
  let gate: RequestGate;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    [stalling, responding] = await Promise.all([MailSink.start(), MailSink.start()]);
    gate = new RequestGate(0);
  });
  afterEach(async () => {
    gate.open();
    await Promise.all([stalling.stop(), responding.stop()]);
  });

  const newWorkspace = async (): Promise<Given> => new Given(await service.client(), service.database);
  /** One after the other: a workspace's requests for its default account wait for each other. */
  const mailboxes = async (given: Given, count: number, sink: MailSink): Promise<{ id: number }[]> => {
    const created = [];
    for (let n = 0; n < count; n += 1) created.push(await given.mailbox(sink, { from_email: `s${n}@sender.example` }));
    return created;
  };

  it.each(['connect', 'mail', 'reply'] as const)(
    'sends the message of one while the servers of all accounts of another do not respond (%s)',
    async (at) => {
      stalling.misbehave({ at, wait: gate.pass });
      const [first, second] = [await newWorkspace(), await newWorkspace()];
      const accounts = await mailboxes(first, ACCOUNTS, stalling);
      await first.running(await first.contacts(ACCOUNTS * 2), { email_account_ids: accounts.map(({ id }) => id) });
      await eventually(() => expect(gate.waiting).toBeGreaterThanOrEqual(ACCOUNTS));
      await second.mailbox(responding);
      await second.running(await second.contacts(1));
      await eventually(() => expect(responding.mails).toHaveLength(1));
      expect(gate.waiting).toBeGreaterThanOrEqual(ACCOUNTS);
    },
  );
});
