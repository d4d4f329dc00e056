import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 5;

describe('a worker that alone cannot reach the database', () => {
  const service = useService();
  let sink: MailSink;
  let gate: RequestGate;
  let proxy: BreakableProxy;
  let workers: ServiceProcess[] = [];

  beforeAll(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    proxy = await BreakableProxy.to(service.database.url);
  });
  afterAll(async () => {
    gate.open();
    proxy.restore();
    await Promise.all(workers.map((worker) => worker.stop()));
    await proxy.stop();
    await sink.stop();
  });

  it('is taken for a dead one: its messages are sent twice at most, and both copies count', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    sink.misbehave({ at: 'reply', wait: gate.pass });
    const account = await given.mailbox(sink);
    const env = { DATABASE_URL: proxy.urlThrough(service.database.url), LOG_LEVEL: 'fatal' };
    workers = [await ServiceProcess.startWorker(service, env)];
    const campaign = await given.running(await given.contacts(MESSAGES));
    await eventually(() => expect(gate.waiting).toBe(MESSAGES));
    proxy.break();
    workers.push(await ServiceProcess.startWorker(service));
    gate.open();
    // The other worker waits until their leases have expired.
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    });
    proxy.restore();
    expect(await workers[0]?.stop()).toBe(0);
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(2 * MESSAGES);
    const rows = 'SELECT DISTINCT status, uncertain_attempts, attempts FROM messages';
    expect(await service.database.query(rows)).toEqual([{ status: 'sent', uncertain_attempts: 1, attempts: 2 }]);
    const { data } = await api.get(`/email-accounts/${account.id}`);
    expect(data.sent_today).toBe(2 * MESSAGES);
  });
});
