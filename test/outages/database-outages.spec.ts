import type { ApiClient } from '../support/api-client.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const MESSAGES = 60;
const IN_FLIGHT = 5;

describe('while the database accepts no results', () => {
  const service = useService();
  let sink: MailSink;
  let gate: RequestGate;
  let proxy: BreakableProxy;
  let api: ApiClient;
  let given: Given;
  let workers: ServiceProcess[];

  beforeEach(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(10);
    proxy = await BreakableProxy.to(service.database.url);
    api = await service.client();
    given = new Given(api, service.database);
    const env = { DATABASE_URL: proxy.urlThrough(service.database.url), LOG_LEVEL: 'warn' };
    workers = await Promise.all([ServiceProcess.startWorker(service, env), ServiceProcess.startWorker(service, env)]);
  });
  afterEach(async () => {
    gate.open();
    proxy.restore();
    await Promise.all(workers.map((worker) => worker.stop()));
    await proxy.stop();
    await sink.stop();
  });

  /** Starts a campaign whose first messages are sent. The server has accepted the next ones, and not replied yet. */
  async function startSending(): Promise<{ id: number }> {
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(MESSAGES, `${Math.random()}-`));
    await eventually(() => expect(gate.waiting).toBeGreaterThanOrEqual(IN_FLIGHT));
    return campaign;
  }

  const waitUntilRefused = () =>
    eventually(() => {
      const log = workers.map(({ errorOutput }) => errorOutput).join('');
      expect(log).toContain('the database does not accept results');
    });
  async function expectEachOnce(campaign: { id: number }): Promise<void> {
    await eventually(async () => {
      const { body } = await api.get(`/campaigns/${campaign.id}`);
      expect(body.data?.status).toBe('completed');
    });
    expect(new Set(sink.mails.map((mail) => mail.message_id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(MESSAGES);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
  }

  it('workers store what servers have accepted, also if all leases and sessions end meanwhile', async () => {
    const campaign = await startSending();
    proxy.break();
    gate.open();
    await waitUntilRefused();
    await service.database.query(
      `UPDATE queued_messages SET lease_until = now() - interval '2 minutes' WHERE leased_by IS NOT NULL`,
    );
    proxy.restore();
    await expectEachOnce(campaign);
  });

  it('workers store what servers have accepted if there are too many connections', async () => {
    const campaign = await startSending();
    const name = new URL(service.database.url).pathname.slice(1);
    await service.database.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
    await service.database.disconnectAll();
    gate.open();
    await waitUntilRefused();
    await service.database.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
    await expectEachOnce(campaign);
  });

  it('workers store what servers have accepted if the database can only be read', async () => {
    const campaign = await startSending();
    const name = new URL(service.database.url).pathname.slice(1);
    await service.database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await service.database.disconnectAll();
    gate.open();
    await waitUntilRefused();
    await service.database.query(
      `START TRANSACTION READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
    );
    await service.database.disconnectAll();
    await expectEachOnce(campaign);
  });

  it('a worker that is stopped waits, and then says how many results are lost', async () => {
    await startSending();
    proxy.break();
    gate.open();
    await waitUntilRefused();
    const codes = await Promise.all(workers.map((worker) => worker.stop()));
    const reports = workers.flatMap(({ errorOutput }) => /results of (\d+) messages/.exec(errorOutput)?.[1] ?? []);
    expect(codes).toContain(1);
    const recorded = await service.database.query('SELECT 1 FROM messages WHERE workspace_id = $1', [api.workspaceId]);
    const lost = reports.reduce((sum, count) => sum + Number(count), 0);
    expect([lost >= IN_FLIGHT, lost]).toEqual([true, sink.mails.length - recorded.length]);
  });
});
