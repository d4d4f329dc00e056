import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';

const CONNECTIONS_PER_ACCOUNT = 5;

describe('workers', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  const workers = new WorkerProcesses(service);

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());
  afterAll(() => workers.stop());

  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
  const timesReceived = (): Map<string | undefined, number> => {
    const times = new Map<string | undefined, number>();
    for (const { message_id: id } of sink.mails) times.set(id, (times.get(id) ?? 0) + 1);
    return times;
  };

  it('send each message once when four of them run', async () => {
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    await workers.run(4);
    const campaign = await given.running(await given.contacts(400));
    await completed(campaign);
    expect(sink.mails).toHaveLength(400);
    expect(timesReceived().size).toBe(400);
  });

  it('send everything at its first attempt through a server that takes two sessions, whichever sends', async () => {
    const small = await MailSink.start({ maxClients: 2 });
    await given.mailbox(small);
    await workers.run(3);
    const campaign = await given.running(await given.contacts(60));
    await completed(campaign);
    const { data } = await api.get(`/campaigns/${campaign.id}/messages?per_page=100`);
    expect(data).toEqual(Array.from({ length: 60 }, () => expect.objectContaining({ status: 'sent', attempts: 1 })));
    await small.stop();
  });

  it('respect the daily limit of an account together', async () => {
    const account = await given.mailbox(sink, { daily_limit: 37 });
    await workers.run(3);
    const campaign = await given.running(await given.contacts(100));
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.messages).toMatchObject({ sent: 37, queued: 63 });
    });
    expect(sink.mails).toHaveLength(37);
    expect((await api.get(`/email-accounts/${account.id}`)).data.sent_today).toBe(37);
  });

  it('lose no message when they are killed, and only messages that were being sent may arrive twice', async () => {
    const kills = 4;
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 5)) });
    await given.mailbox(sink);
    await workers.run(1);
    const campaign = await given.running(await given.contacts(600));
    for (let kill = 1; kill <= kills; kill++) {
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(kill * 80));
      await workers.kill();
      await workers.run(1);
    }
    await completed(campaign);
    const times = timesReceived();
    expect(times.size).toBe(600);
    const doubles = sink.mails.length - times.size;
    expect(doubles).toBeLessThanOrEqual(kills * CONNECTIONS_PER_ACCOUNT);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: 600, queued: 0, failed: 0, unknown: 0 });
  });

  it('finish the messages that they are sending before they stop', async () => {
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 50)) });
    await given.mailbox(sink);
    await workers.run(1);
    const campaign = await given.running(await given.contacts(200));
    await eventually(() => expect(sink.mails.length).toBeGreaterThan(10));
    expect(await workers.stop()).toEqual([0]);
    const sent = (await api.get(`/campaigns/${campaign.id}/stats`)).data.messages.sent;
    expect(sink.mails).toHaveLength(sent);
    await workers.run(1);
    sink.behave();
    await completed(campaign);
    expect(sink.mails).toHaveLength(200);
  });
});
