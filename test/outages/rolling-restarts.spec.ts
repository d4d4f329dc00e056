import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 600;
const RESTARTS = 6;

describe('two workers that are replaced one after the other', () => {
  const service = useService();
  let sink: MailSink;
  let workers: ServiceProcess[] = [];

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.stop();
  });

  it('send each message once, end with 0 and leave nothing uncertain', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    sink.misbehave({ at: 'reply', wait: () => pause(30) });
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    workers = [await ServiceProcess.startWorker(service), await ServiceProcess.startWorker(service)];
    const campaign = await given.running(await given.contacts(MESSAGES));
    const codes: (number | null | undefined)[] = [];
    for (let restart = 1; restart <= RESTARTS; restart++) {
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(restart * 60));
      const oldest = workers.shift();
      codes.push(await oldest?.stop());
      workers.push(await ServiceProcess.startWorker(service));
    }
    expect(codes).toEqual(Array.from({ length: RESTARTS }, () => 0));
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed');
    });
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(MESSAGES);
    expect(await service.database.query('SELECT 1 FROM messages WHERE uncertain_attempts > 0 OR attempts > 1')).toEqual(
      [],
    );
  });
});
