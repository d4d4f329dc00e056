import { ApiClient } from '../support/api-client.js';
import { type DistributedDatabase, startDistributedDatabase } from '../support/distributed-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess, WorkerProcesses } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';

const MESSAGES = 200;
const SENT_BEFORE = 20;

describe('shards that are transferred to another node while their workspace sends', () => {
  let database: DistributedDatabase;
  let service: TestService;
  let apiProcess: ServiceProcess;
  let workers: WorkerProcesses;
  let sink: MailSink;

  beforeAll(async () => {
    database = await startDistributedDatabase();
    service = await startService({ LOG_LEVEL: 'fatal' }, database);
    apiProcess = await ServiceProcess.startApi(service, { LOG_LEVEL: 'fatal' });
    workers = new WorkerProcesses(service, { LOG_LEVEL: 'fatal' });
    sink = await MailSink.start();
    await workers.run(2);
  });
  afterAll(async () => {
    await workers.stop();
    await apiProcess.stop();
    await sink.stop();
    await service.stop();
    await database.drop();
  });

  it.each(['block_writes', 'force_logical'])(
    'take the rest of its messages along (%s): each is sent once, and no request fails',
    async (mode) => {
      const { token, workspaceId } = await service.client();
      const api = new ApiClient(apiProcess.url, token, workspaceId);
      const given = new Given(api, database);
      const gate = new RequestGate(SENT_BEFORE);
      sink.misbehave({ at: 'reply', matches: new RegExp(`^${mode}`), wait: gate.pass });
      await given.mailbox(sink);
      const campaign = await given.running(await given.contacts(MESSAGES, mode));
      await eventually(() => expect(gate.waiting).toBeGreaterThan(0));
      const before = await database.nodeOf(workspaceId);
      const [target] = database.nodes.filter((node) => node !== before);
      let isTransferring = true;
      const transferred = database
        .query(
          `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('contacts', $1::bigint),
             '127.0.0.1', $2, '127.0.0.1', $3, $4::citus.shard_transfer_mode)`,
          [workspaceId, before.port, target?.port, mode],
        )
        .finally(() => (isTransferring = false));
      gate.open();
      const statuses: number[] = [];
      do statuses.push((await api.post('/contacts', { email: `new${statuses.length}@example.com` })).status);
      while (isTransferring);
      await transferred;
      expect(await database.nodeOf(workspaceId)).toBe(target);
      await eventually(async () =>
        expect((await api.get(`/campaigns/${campaign.id}`)).body.data?.status).toBe('completed'),
      );
      const received = sink.mails.flatMap(({ to }) => to).filter((address) => address.startsWith(mode));
      expect(new Set(received).size).toBe(MESSAGES);
      expect(received).toHaveLength(MESSAGES);
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
      // While writes are blocked, a request waits, and may be asked to repeat.
      const created = statuses.filter((status) => status === 201).length;
      expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
      expect((await api.get('/contacts')).body.meta.total).toBe(MESSAGES + created);
    },
  );
});
