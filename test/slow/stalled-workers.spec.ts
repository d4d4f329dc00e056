import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink, type SinkPhase } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const MESSAGES = 3;

describe('a worker that stalls longer than its leases', () => {
  const service = useService();
  let sink: MailSink;
  let gate: RequestGate;
  let api: ApiClient;
  let given: Given;
  let stalled: ServiceProcess;
  let other: ServiceProcess | undefined;

  beforeEach(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    gate.open();
    stalled.resume();
    await Promise.all([stalled.stop(), other?.stop()]);
    await sink.stop();
  });

  /** Suspends the worker when it has no open transaction, whose locks would make the other one wait. */
  const suspendBetweenTransactions = (): Promise<void> =>
    eventually(async () => {
      stalled.suspend();
      const open = await service.database.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
      );
      if (open.length === 0) return;
      stalled.resume();
      throw new Error('The worker has an open transaction.');
    });

  /** A worker stalls while it sends all messages of a campaign. @param expiredFor seconds */
  async function stallWhileSending(at: SinkPhase, expiredFor: number): Promise<{ id: number }> {
    sink.misbehave({ at, wait: gate.pass });
    await given.mailbox(sink);
    stalled = await ServiceProcess.startWorker(service);
    const campaign = await given.running(await given.contacts(MESSAGES, `${at}-`));
    await eventually(() => expect(gate.waiting).toBe(MESSAGES));
    await suspendBetweenTransactions();
    await service.database.query(
      'UPDATE queued_messages SET lease_until = now() - make_interval(secs => $1) WHERE leased_by IS NOT NULL',
      [expiredFor],
    );
    return campaign;
  }

  /** Leases a message for a worker that does not exist. */
  async function leaseForDeadWorker(): Promise<() => Promise<unknown>> {
    const { id } = await given.sentMessage((await given.contact()).id);
    await given.unrecorded(id, 'queued', randomUUID());
    return async () => {
      const [message] = await service.database.query<{ lease_until: Date | null }>(
        'SELECT lease_until FROM queued_messages WHERE id = $1',
        [id],
      );
      return message?.lease_until;
    };
  }

  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
  const leased = () => service.database.query('SELECT status FROM queued_messages WHERE leased_by IS NOT NULL');

  it('keeps its messages, while those of a dead worker are recovered', async () => {
    const campaign = await stallWhileSending('reply', 1);
    const leaseOfDead = await leaseForDeadWorker();
    other = await ServiceProcess.startWorker(service);
    await eventually(async () => expect(await leaseOfDead()).toBeNull());
    expect(await leased()).toEqual(Array.from({ length: MESSAGES }, () => ({ status: 'sending' })));
    stalled.resume();
    gate.open();
    await completed(campaign);
    expect(sink.mails).toHaveLength(MESSAGES);
  });

  it('does not send what another worker has taken after a minute', async () => {
    const campaign = await stallWhileSending('mail', 120);
    sink.behave();
    other = await ServiceProcess.startWorker(service);
    await completed(campaign);
    stalled.resume();
    gate.open();
    expect(await stalled.stop()).toBe(0);
    expect(sink.mails).toHaveLength(MESSAGES);
  });
});
