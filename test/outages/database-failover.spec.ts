import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database.js';
import { startService, type TestService } from '../support/service.js';

const MESSAGES = 100;

describe('a PostgreSQL with a standby', () => {
  let database: ReplicatedDatabase;
  let service: TestService;
  let sink: MailSink;
  beforeAll(async () => {
    database = await startReplicatedDatabase();
    service = await startService({ LOG_LEVEL: 'fatal' }, database);
    await service.startWorker();
    sink = await MailSink.start();
  });
  afterAll(async () => {
    await sink.stop();
    await service.stop();
    await database.drop();
  });

  const readiness = async () => {
    const ready = await fetch(`${service.url}/health/ready`);
    return [ready.status, ((await ready.json()) as { checks: unknown }).checks];
  };

  it('fails over in the middle of a campaign: all messages are sent, and new requests served', async () => {
    const api = await service.client();
    const given = new Given(api, database);
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(MESSAGES, 'failover'));
    await eventually(() => expect(sink.mails.length).toBeGreaterThan(MESSAGES / 10));
    // The first host of the URL is the standby, which takes no writes.
    const sessions = `SELECT 1 FROM pg_stat_activity WHERE application_name IN ('outreach', 'outreach worker session')`;
    expect(await database.queryStandby(sessions)).toEqual([]);
    expect(await readiness()).toEqual([200, { database: true }]);

    await database.crashPrimary();
    await eventually(async () => expect(await readiness()).toEqual([503, { database: false }]));
    await database.promote();
    await eventually(async () => expect(await readiness()).toEqual([200, { database: true }]));
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}`)).body.data?.status).toBe('completed');
    });
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect((await database.queryStandby(sessions)).length).toBeGreaterThan(1);
  });
});
