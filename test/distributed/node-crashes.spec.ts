import { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import {
  type DistributedDatabase,
  type NodeServer,
  startDistributedDatabase,
} from '../support/distributed-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink, type SinkPhase } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';

const MESSAGES = 40;
/** Of each workspace, before the server replies no more. */
const SENT_BEFORE = 10;

type Campaign = Pick<Schema<'Campaign'>, 'id'>;

/** A workspace that sends, and the clients of its API. */
interface Sender {
  readonly api: ApiClient;
  readonly given: Given;
  readonly node: NodeServer;
}

describe('processes that are killed with SIGKILL in the middle of sending', () => {
  let database: DistributedDatabase;
  let service: TestService;
  let apiProcess: ServiceProcess;
  let workers: ServiceProcess[] = [];
  let senders: readonly [Sender, Sender];
  let sink: MailSink;
  let gates: readonly [RequestGate, RequestGate];

  const settings = { LOG_LEVEL: 'fatal' };
  const startWorker = () => ServiceProcess.startWorker(service, settings);
  const sender = async (): Promise<Sender> => {
    const { token, workspaceId } = await service.client();
    const api = new ApiClient(apiProcess.url, token, workspaceId);
    return { api, given: new Given(api, database), node: await database.nodeOf(workspaceId) };
  };

  beforeAll(async () => {
    database = await startDistributedDatabase();
    service = await startService(settings, database);
    apiProcess = await ServiceProcess.startApi(service, settings);
    workers = await Promise.all([startWorker(), startWorker()]);
    const first = await sender();
    let other = await sender();
    while (other.node === first.node) other = await sender();
    senders = [first, other];
    sink = await MailSink.start();
    for (const { given } of senders) await given.mailbox(sink);
  });
  beforeEach(() => {
    gates = [new RequestGate(SENT_BEFORE), new RequestGate(SENT_BEFORE)];
  });
  afterEach(() => {
    reply();
    sink.behave();
  });
  afterAll(async () => {
    await Promise.all([apiProcess, ...workers].map((each) => each.stop()));
    await sink.stop();
    await service.stop();
    await database.drop();
  });

  /** Starts a campaign in each workspace. Resolves when the server holds messages of both at a phase. */
  async function startSending(prefix: string, at: SinkPhase): Promise<[Campaign, Campaign]> {
    const start = async ({ given }: Sender, index: 0 | 1): Promise<Campaign> => {
      sink.misbehave({ at, matches: new RegExp(`^${prefix}${index}-`), wait: gates[index].pass });
      return given.running(await given.contacts(MESSAGES, `${prefix}${index}-`));
    };
    const campaigns: [Campaign, Campaign] = [await start(senders[0], 0), await start(senders[1], 1)];
    await eventually(() => {
      for (const gate of gates) expect(gate.waiting).toBeGreaterThan(0);
    });
    return campaigns;
  }
  const reply = () => gates.forEach((gate) => gate.open());
  const status = async ({ api }: Sender, { id }: Campaign) => (await api.get(`/campaigns/${id}`)).body.data?.status;
  async function expectEachOnce(from: Sender, campaign: Campaign, prefix: string): Promise<void> {
    await eventually(async () => expect(await status(from, campaign)).toBe('completed'));
    const received = sink.mails.flatMap(({ to }) => to).filter((address) => address.startsWith(prefix));
    expect(new Set(received).size).toBe(MESSAGES);
    expect(received).toHaveLength(MESSAGES);
    const { data } = await from.api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
  }
  /** Requests that read and write, one after the other. */
  const requests = async ({ api }: Sender, campaign: Campaign, name: string) => [
    await api.get('/contacts'),
    await api.post('/contacts', { email: `${name}@example.com` }),
    await api.get(`/campaigns/${campaign.id}/stats`),
    await api.post('/lists', { name }),
  ];

  it('leave nothing that another worker does not send once, if one of two workers is killed', async () => {
    // No content has left: the server has not accepted the recipients yet.
    const [first, second] = await startSending('worker', 'rcpt');
    await workers.shift()?.kill();
    workers.push(await startWorker());
    reply();
    await expectEachOnce(senders[0], first, 'worker0-');
    await expectEachOnce(senders[1], second, 'worker1-');
  });

  it('delay the workspaces of a node that is killed until it is back, and no others', async () => {
    const [waiting, running] = await startSending('node', 'reply');
    const [away, other] = senders;
    await away.node.kill();
    reply();
    for (const { status: code, headers, body } of await requests(away, waiting, 'away'))
      expect({ code, retry: headers.get('retry-after'), body }).toEqual({
        code: 503,
        retry: '1',
        body: expect.objectContaining({ message: expect.stringContaining('not available at the moment') }),
      });
    for (const response of await requests(other, running, 'other')) expect([200, 201]).toContain(response.status);
    await expectEachOnce(other, running, 'node1-');
    // What becomes due meanwhile is found, too.
    const next = await other.given.running(await other.given.contacts(MESSAGES, 'later1-'));
    await expectEachOnce(other, next, 'later1-');
    expect((await away.api.get(`/campaigns/${waiting.id}`)).status).toBe(503);
    await away.node.restart();
    await expectEachOnce(away, waiting, 'node0-');
    for (const response of await requests(away, waiting, 'back')) expect([200, 201]).toContain(response.status);
  });

  it('delay everything until the coordinator that was killed is back', async () => {
    const [first, second] = await startSending('coordinator', 'reply');
    await database.coordinator.kill();
    reply();
    const responses = [...(await requests(senders[0], first, 'away')), ...(await requests(senders[1], second, 'away'))];
    expect(new Set(responses.map(({ status: code }) => code))).toEqual(new Set([503]));
    await database.coordinator.restart();
    await expectEachOnce(senders[0], first, 'coordinator0-');
    await expectEachOnce(senders[1], second, 'coordinator1-');
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });
});
