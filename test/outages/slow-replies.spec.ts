import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

/** As many as a run has connections. */
const SILENT = 5;
const OTHERS = 60;

describe('a server that does not reply to the final dot of some messages', () => {
  const service = useService();
  let sink: MailSink;
  let gate: RequestGate;
  let api: ApiClient;
  let given: Given;
  let worker: ServiceProcess;

  beforeEach(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    api = await service.client();
    given = new Given(api, service.database);
    worker = await ServiceProcess.startWorker(service);
  });
  afterEach(async () => {
    gate.open();
    await worker.stop();
    await sink.stop();
  });

  /** The messages without a reply are the first ones. */
  async function startSending(): Promise<{ campaign: Schema<'Campaign'>; account: Schema<'EmailAccount'> }> {
    sink.misbehave({ at: 'reply', matches: /^silent/, wait: gate.pass });
    const account = await given.mailbox(sink);
    const contacts = [...(await given.contacts(SILENT, 'silent')), ...(await given.contacts(OTHERS, 'other'))];
    return { campaign: await given.running(contacts), account };
  }
  const messages = (campaign: { id: number }, status: string) =>
    service.database.query<{ uncertain_attempts: number; reason: string | null; is_leased: boolean }>(
      `SELECT message.uncertain_attempts, message.reason,
         coalesce(queued.lease_until > now() + interval '5 seconds', FALSE) AS is_leased
       FROM all_messages message LEFT JOIN queued_messages queued ON queued.id = message.id
       WHERE message.campaign_id = $1 AND message.status = $2`,
      [campaign.id, status],
    );

  it('delays the other messages of its account by one run at most, and its leases are renewed', async () => {
    const { campaign } = await startSending();
    await eventually(async () => expect(await messages(campaign, 'sent')).toHaveLength(OTHERS));
    expect(gate.waiting).toBe(SILENT);
    await service.database.query(
      `UPDATE queued_messages SET lease_until = now() + interval '1 second' WHERE campaign_id = $1 AND status = 'sending'`,
      [campaign.id],
    );
    await eventually(async () => {
      const waiting = await messages(campaign, 'sending');
      expect(waiting.filter((message) => message.is_leased)).toHaveLength(SILENT);
    });
    gate.open();
    await eventually(async () => expect(await messages(campaign, 'sent')).toHaveLength(SILENT + OTHERS));
    expect(sink.mails).toHaveLength(SILENT + OTHERS);
  });

  it('delays a stop until the time for stopping is up, and then its messages are counted as uncertain', async () => {
    const { campaign, account } = await startSending();
    await eventually(() => expect(gate.waiting).toBe(SILENT));
    expect(await worker.stop()).toBe(0);
    // It has not waited for the replies, which are still held.
    expect(gate.waiting).toBe(SILENT);
    const uncertain = (await messages(campaign, 'queued')).filter((message) => message.uncertain_attempts > 0);
    expect(uncertain).toEqual(
      Array.from({ length: SILENT }, () => ({ uncertain_attempts: 1, reason: 'temporary_failure', is_leased: false })),
    );
    const sent = await messages(campaign, 'sent');
    const { data } = await api.get(`/email-accounts/${account.id}`);
    expect(data.sent_today).toBe(sent.length + SILENT);
    expect(sink.mails).toHaveLength(sent.length + SILENT);
  });
});
