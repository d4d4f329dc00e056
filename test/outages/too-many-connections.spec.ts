import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 600;
const SENT_BEFORE = 60;
const REQUESTS = 20;
const MAX_CONNECTIONS = 90;

/** Another client that opens connections as long as the server accepts one, and again when one becomes free. */
class GreedyClient {
  private readonly clients: pg.Client[] = [];
  private isEnding = false;
  private refused = 0;
  private opening: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private readonly administrator: pg.Client,
  ) {
    this.clients.push(administrator);
  }

  static async connected(url: string): Promise<GreedyClient> {
    const administrator = new pg.Client({ connectionString: url, application_name: 'greedy' });
    await administrator.connect();
    return new GreedyClient(url, administrator);
  }

  /** Ends the sessions of others, as an administrator does, and takes their places, until no other client has one. */
  async takeAll(): Promise<void> {
    this.opening = Promise.all([1, 2, 3].map(() => this.open()));
    await eventually(async () => {
      const ended = await this.administrator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = current_user AND application_name <> 'greedy'`,
      );
      await this.isRefused();
      expect(ended.rows).toEqual([]);
    });
  }

  /** Resolves when the server has refused connections again and again. */
  private isRefused(): Promise<void> {
    const before = this.refused;
    return eventually(() => expect(this.refused).toBeGreaterThan(before + 50));
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.opening;
    await Promise.all(this.clients.map((client) => client.end()));
  }

  private async open(): Promise<void> {
    while (!this.isEnding) {
      const client = new pg.Client({ connectionString: this.url, application_name: 'greedy' });
      client.on('error', () => undefined);
      await client.connect().then(
        () => this.clients.push(client),
        () => (this.refused += 1),
      );
    }
  }
}

describe('PostgreSQL whose connections another client has taken', () => {
  let database: CrashingDatabase;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let greedy: GreedyClient;
  let workers: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await startCrashingDatabase({ settings: { max_connections: String(MAX_CONNECTIONS) } });
    greedy = await GreedyClient.connected(database.url);
    service = await startService({ LOG_LEVEL: 'fatal' }, database);
    sink = await MailSink.start();
    api = await service.client();
  });
  afterAll(async () => {
    await greedy.end();
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.stop();
    await service.stop();
    await database.drop();
  });

  it('makes the API respond with 503, and no message is lost or sent twice', async () => {
    const given = new Given(api, database);
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 20)) });
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    workers = await Promise.all([1, 2].map(() => ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal' })));
    const campaign = await given.running(await given.contacts(MESSAGES));
    await eventually(() => expect(sink.mails.length).toBeGreaterThan(SENT_BEFORE));
    await greedy.takeAll();
    for (let n = 1; n <= REQUESTS; n++) {
      const { status, headers } = await api.get('/contacts');
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(sink.mails.length).toBeLessThan(MESSAGES);
    await greedy.end();
    await eventually(async () => {
      const { body } = await api.get(`/campaigns/${campaign.id}`);
      expect(body.data?.status).toBe('completed');
    });
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(MESSAGES);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
  });
});
