import type { ApiClient } from '../support/api-client.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { WorkerProcesses } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';

const MESSAGES = 500;
const CRASHES = 5;

describe('workers whose database crashes', () => {
  let database: CrashingDatabase;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let workers: WorkerProcesses;

  beforeAll(async () => {
    database = await startCrashingDatabase();
    service = await startService({}, database);
    workers = new WorkerProcesses(service);
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
  });
  afterEach(async () => {
    await workers.stop();
    await sink.stop();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('send each message once', async () => {
    const given = new Given(api, database);
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 20)) });
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    await workers.run(2);
    const campaign = await given.running(await given.contacts(MESSAGES));
    for (let crash = 1; crash <= CRASHES; crash++) {
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(crash * 60));
      await eventually(() => database.crash());
    }
    await eventually(async () => {
      const { body } = await api.get(`/campaigns/${campaign.id}`);
      expect(body.data?.status).toBe('completed');
    });
    const copies = new Map<string | undefined, number>();
    for (const { message_id: id } of sink.mails) copies.set(id, (copies.get(id) ?? 0) + 1);
    expect(copies.size).toBe(MESSAGES);
    expect([...copies.values()].filter((times) => times > 1)).toEqual([]);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
  });
});
