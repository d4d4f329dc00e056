import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
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

  beforeAll(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    api = await service.client();
    given = new Given(api, service.database);
    stalled = await ServiceProcess.startWorker(service);
  });
  afterAll(async () => {
    gate.open();
    stalled.resume();
    await stalled.stop();
    await sink.stop();
  });

  /** A campaign whose messages have an account of their own. */
  async function runningFrom(name: string): Promise<{ id: number }> {
    const { id } = await given.mailbox(sink, { from_email: `${name}@sender.example` });
    return given.running(await given.contacts(MESSAGES, name), { email_account_ids: [id] });
  }
  const mailsFrom = (name: string) => sink.mails.filter(({ from }) => from === `${name}@sender.example`);

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

  const endLeases = (campaign: { id: number }, secondsAgo: number) =>
    service.database.query(
      `UPDATE queued_messages SET lease_until = now() - make_interval(secs => $2)
       WHERE campaign_id = $1 AND leased_by IS NOT NULL`,
      [campaign.id, secondsAgo],
    );

  /** Leases a message for a worker that does not exist. @returns its ID */
  async function leaseForDeadWorker(): Promise<number> {
    const { id } = await given.sentMessage((await given.contact()).id);
    await given.unrecorded(id, 'queued', randomUUID());
    return id;
  }

  const statusOf = async ({ id }: { id: number }) => (await api.get(`/campaigns/${id}`)).data.status;
  const leasesOf = (column: 'id' | 'campaign_id', id: number) =>
    service.database.query(`SELECT status, leased_by IS NOT NULL AS leased FROM queued_messages WHERE ${column} = $1`, [
      id,
    ]);

  it('keeps its messages for a minute, unlike a dead one, and does not send what another worker has taken then', async () => {
    sink.misbehave(
      { at: 'reply', matches: /^own/, wait: gate.pass },
      { at: 'mail', matches: /^taken/, wait: gate.pass },
    );
    const [own, taken] = [await runningFrom('own'), await runningFrom('taken')];
    await eventually(() => expect(gate.waiting).toBe(2 * MESSAGES));
    await suspendBetweenTransactions();
    await endLeases(taken, 120);
    const dead = await leaseForDeadWorker();
    sink.behave();
    await service.startWorker();
    await eventually(async () => {
      // They have ended a moment ago, however long the other worker takes.
      await endLeases(own, 1);
      expect(await leasesOf('id', dead)).toEqual([{ status: 'queued', leased: false }]);
      expect(await statusOf(taken)).toBe('completed');
    });
    expect(mailsFrom('taken')).toHaveLength(MESSAGES);
    expect(await leasesOf('campaign_id', own.id)).toEqual(Array(MESSAGES).fill({ status: 'sending', leased: true }));
    stalled.resume();
    gate.open();
    await eventually(async () => expect(await statusOf(own)).toBe('completed'));
    expect(await stalled.stop()).toBe(0);
    expect([mailsFrom('own').length, mailsFrom('taken').length]).toEqual([MESSAGES, MESSAGES]);
  });
});
