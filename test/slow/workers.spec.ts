import type { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { recoverMessages } from '../support/killed-workers.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const CONNECTIONS_PER_ACCOUNT = 5;

describe('workers', () => {
  const service = useService();
  const workers: { readonly process: ServiceProcess; readonly health: string }[] = [];
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(() => Promise.all([startWorker(), startWorker()]));
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());
  afterAll(() => Promise.all(workers.map(({ process }) => process.kill())));

  async function startWorker(): Promise<void> {
    const port = await freePort();
    const process = await ServiceProcess.startWorker(service, { METRICS_PORT: port });
    workers.push({ process, health: `http://127.0.0.1:${port}/health/ready` });
  }
  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
  const countsOf = async (campaign: { id: number }) => (await api.get(`/campaigns/${campaign.id}/stats`)).data.messages;
  const differentMails = (): number => new Set(sink.mails.map((mail) => mail.message_id)).size;

  it('send each message once when several of them run', async () => {
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    await completed(await given.running(await given.contacts(200)));
    expect([sink.mails.length, differentMails()]).toEqual([200, 200]);
  });

  it('finish the messages that they are sending before they stop', async () => {
    const gate = new RequestGate(10);
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(50));
    await eventually(() => expect(gate.waiting).toBeGreaterThanOrEqual(CONNECTIONS_PER_ACCOUNT));
    const stopping = workers.splice(0);
    const stopped = Promise.all(stopping.map(({ process }) => process.stop()));
    for (const { health } of stopping)
      await eventually(async () => expect(await (await fetch(health)).json()).toMatchObject({ status: 'stopping' }));
    gate.open();
    expect(await stopped).toEqual([0, 0]);
    expect(sink.mails).toHaveLength((await countsOf(campaign)).sent);
    await startWorker();
    await completed(campaign);
    expect([sink.mails.length, differentMails()]).toEqual([50, 50]);
  });

  it('lose no message when they are killed, and only messages that were being sent arrive twice', async () => {
    const gate = new RequestGate(20);
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(100));
    // The server has accepted a message on each connection, and the worker does not know it.
    await eventually(() => expect(gate.waiting).toBe(CONNECTIONS_PER_ACCOUNT));
    await workers.pop()?.process.kill();
    await recoverMessages(service);
    gate.open();
    await service.startWorker();
    await completed(campaign);
    expect([sink.mails.length, differentMails()]).toEqual([100 + CONNECTIONS_PER_ACCOUNT, 100]);
    expect(await countsOf(campaign)).toMatchObject({ sent: 100, queued: 0, failed: 0, unknown: 0 });
  });
});
