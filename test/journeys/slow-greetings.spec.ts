import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { SlowSends } from '../../src/sending/dispatch/slow-sends.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';

/** As many as a run has. */
const CONNECTIONS = 5;
const MESSAGES = 12;

describe('a server that takes long for its greeting', () => {
  const service = useService();
  let worker: INestApplicationContext;
  let sink: MailSink;
  let gate: RequestGate;
  let api: ApiClient;
  let account: Schema<'EmailAccount'>;
  let campaign: Schema<'Campaign'>;

  beforeEach(async () => {
    worker = await service.startWorker();
    sink = await MailSink.start();
    gate = new RequestGate(0);
    sink.misbehave({ at: 'connect', wait: gate.pass });
    api = await service.client();
    const given = new Given(api, service.database);
    account = await given.mailbox(sink);
    campaign = await given.running(await given.contacts(MESSAGES), { email_account_ids: [account.id] });
  });
  afterEach(async () => {
    gate.open();
    await worker.close();
    await sink.stop();
  });

  /** All connections are waited for outside of a run. */
  const isWaitedFor = () =>
    eventually(async () => {
      const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
      expect(worker.get(SlowSends).openings(scope, account.id)).toBe(CONNECTIONS);
    });
  /** All messages wait for their next attempt afterwards. */
  const hangUpNow = async (): Promise<void> => {
    await isWaitedFor();
    sink.behave();
    sink.misbehave({ at: 'connect', drop: true });
    sink.hangUp();
    await eventually(async () =>
      expect((await messages()).map(({ status, reason }) => [status, reason])).toEqual(
        Array.from({ length: MESSAGES }, () => ['queued', 'temporary_failure']),
      ),
    );
  };
  const messages = async (): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;

  it('gets no more connections while it is waited for, and then sends each message at its first attempt', async () => {
    await isWaitedFor();
    expect(gate.waiting).toBe(CONNECTIONS);
    expect(await messages()).toEqual(
      Array.from({ length: MESSAGES }, () => expect.objectContaining({ status: 'queued', attempts: 0, reason: null })),
    );
    gate.open();
    await eventually(async () =>
      expect(await messages()).toEqual(
        Array.from({ length: MESSAGES }, () => expect.objectContaining({ status: 'sent', attempts: 1 })),
      ),
    );
    expect(sink.mails).toHaveLength(MESSAGES);
  });

  it('is left when the process stops, and the messages are queued as before', async () => {
    await isWaitedFor();
    await worker.close();
    const rows = await service.database.query(
      `SELECT DISTINCT status, attempts, lease_until FROM queued_messages WHERE campaign_id = $1`,
      [campaign.id],
    );
    expect(rows).toEqual([{ status: 'queued', attempts: 0, lease_until: null }]);
    expect(await messages()).toHaveLength(MESSAGES);
    expect(gate.waiting).toBe(CONNECTIONS);
  });

  it('counts an attempt for each message that it has kept waiting when it hangs up, and none for the others', async () => {
    await hangUpNow();
    const tried = (await messages()).filter(({ attempts }) => attempts === 1).length;
    // Others are tried only if the process needs long to record the first failure.
    expect(tried).toBeGreaterThanOrEqual(CONNECTIONS);
    expect(tried).toBeLessThanOrEqual(sink.connections);
    expect((await messages()).filter(({ attempts }) => attempts === 0)).toHaveLength(MESSAGES - tried);
  });

  it('is tried again at once after a successful test of the account', async () => {
    await hangUpNow();
    sink.behave();
    expect((await api.post(`/email-accounts/${account.id}/test`)).data).toMatchObject({ success: true });
    await eventually(async () => expect((await messages()).every(({ status }) => status === 'sent')).toBe(true));
  });
});
