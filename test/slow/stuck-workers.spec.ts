import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { IMPORTING } from '../../src/contacts/index.js';
import { MAILBOX_READING } from '../../src/inbound/index.js';
import { SANDBOX_CLOCKS } from '../../src/sandbox/index.js';
import { DueMessageSample } from '../../src/sending/due-messages.cross-tenant.js';
import { PLANNING, SENDING } from '../../src/sending/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';
import type { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/command-line.js';
import { containerHealth } from '../support/container-health.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const MESSAGES = 12;
const CONNECTIONS = 5;
/** The queues that the tests pause. All of them are resumed after each test, also after one that fails. */
const QUEUES = [SENDING, DELIVERING, PLANNING, IMPORTING, MAILBOX_READING, SANDBOX_CLOCKS];

describe('the health of a worker', () => {
  const service = useService();
  let sink: MailSink;
  let gate: RequestGate;
  let api: ApiClient;
  let given: Given;
  let worker: ServiceProcess;
  let url: string;

  beforeEach(async () => {
    sink = await MailSink.start();
    gate = new RequestGate(0);
    api = await service.client();
    given = new Given(api, service.database);
    const port = await freePort();
    worker = await ServiceProcess.startWorker(service, { METRICS_PORT: port });
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    gate.open();
    for (const name of QUEUES) await queue(name).resume();
    await worker.stop();
    await sink.stop();
  });

  const ready = async () => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, body: await response.json() };
  };
  const queue = (name: string) => service.app.get<Queue>(getQueueToken(name), { strict: false });

  /** The due messages of the workspace have waited for two minutes, and so long its account was not used. */
  async function waitForTwoMinutes(): Promise<number> {
    const earlier = `now() - interval '2 minutes'`;
    await service.database.query(
      `UPDATE email_accounts SET last_used_at = ${earlier} WHERE workspace_id = $1 AND last_used_at IS NOT NULL`,
      [api.workspaceId],
    );
    const waiting = await service.database.query(
      `UPDATE queued_messages SET next_attempt_at = ${earlier}
       WHERE workspace_id = $1 AND status = 'queued' AND lease_until IS NULL RETURNING id`,
      [api.workspaceId],
    );
    return waiting.length;
  }

  it('is 503 when messages have been due for a minute and it begins none, until it sends them', async () => {
    expect((await ready()).status).toBe(200);
    await queue(SENDING).pause();
    await given.mailbox(sink);
    await given.running(await given.contacts(MESSAGES, 'stuck'));
    await eventually(async () => expect(await waitForTwoMinutes()).toBe(MESSAGES));
    await eventually(async () => {
      expect(await ready()).toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { database: true, work: false } },
      });
    });
    const work = await fetch(`${url}/health/work`);
    expect([work.status, await work.json()]).toEqual([503, { status: 'unavailable', checks: { work: false } }]);
    const { code, stderr } = await containerHealth({ ROLE: 'worker', METRICS_PORT: new URL(url).port });
    expect([code, stderr]).toEqual([1, expect.stringContaining('"work":false')]);
    await queue(SENDING).resume();
    await eventually(() => expect(sink.mails).toHaveLength(MESSAGES));
    await eventually(async () => expect((await ready()).status).toBe(200));
  });

  it('is 503 when deliveries to webhooks have been due for a minute and it begins none, until it attempts them', async () => {
    await queue(DELIVERING).pause();
    await api.post('/webhooks', { url: 'https://receiver.example/', events: ['contact.created'] });
    await given.contact();
    const delayed = `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '2 minutes'
      WHERE workspace_id = $1 RETURNING id`;
    await eventually(async () => expect(await service.database.query(delayed, [api.workspaceId])).toHaveLength(1));
    await eventually(async () => {
      expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: true, work: false } } });
    });
    await queue(DELIVERING).resume();
    await eventually(async () => expect((await ready()).status).toBe(200));
  });

  it('is 503 when steps have been due for a minute and it plans none, until it does', async () => {
    await queue(PLANNING).pause();
    await given.mailbox(sink);
    await given.running(await given.contacts(MESSAGES, 'unplanned'));
    await service.database.query(`UPDATE due_steps SET due_at = now() - interval '2 minutes' WHERE workspace_id = $1`, [
      api.workspaceId,
    ]);
    await eventually(async () => {
      expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: true, work: false } } });
    });
    await eventually(() => expect(worker.errorOutput).toContain('due work is left alone'));
    await queue(PLANNING).resume();
    await eventually(() => expect(sink.mails).toHaveLength(MESSAGES));
    await eventually(async () => expect((await ready()).status).toBe(200));
  });

  it('is 503 when imports, mailboxes and clocks have waited for a minute, whose names are in the log', async () => {
    const names = [IMPORTING, MAILBOX_READING, SANDBOX_CLOCKS];
    for (const name of names) await queue(name).pause();
    const form = new FormData();
    form.append('file', new Blob(['email\na@example.com\n']), 'file.csv');
    expect((await api.post('/contacts/import', form, { prefer: 'respond-async' })).status).toBe(202);
    const imap = { imap_host: 'imap.nowhere.invalid', imap_port: 993, imap_username: 'ann', imap_password: 'secret' };
    await given.mailbox(sink, imap);
    const { workspaceId: sandbox } = await service.sandbox();
    const earlier = `now() - interval '2 minutes'`;
    await service.database.query(
      `INSERT INTO sandbox_clocks (workspace_id, id, target, touched_at) VALUES ($1, $1, now() + interval '1 hour', ${earlier})`,
      [sandbox],
    );
    await service.database.query(`UPDATE imports SET created_at = ${earlier}, updated_at = ${earlier}`);
    await service.database.query(`UPDATE mailbox_readings SET next_read_at = ${earlier}`);
    const logged = () => worker.errorOutput.split('\n').filter((line) => line.includes('due work is left alone'));
    await eventually(async () => {
      expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: true, work: false } } });
      expect(
        JSON.parse(logged().at(-1) ?? '{}')
          .work.split(', ')
          .sort(),
      ).toEqual([...names].sort());
    });
    for (const name of names) await queue(name).resume();
    await eventually(async () => expect((await ready()).status).toBe(200));
  });

  it('is 200 while a mail server is slow and the other messages of the account wait for longer than a minute', async () => {
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await given.mailbox(sink);
    await given.running(await given.contacts(MESSAGES, 'busy'));
    await eventually(() => expect(gate.waiting).toBeGreaterThanOrEqual(CONNECTIONS));
    expect(await waitForTwoMinutes()).toBeGreaterThan(0);
    const { oldest_seconds: oldest, untouched } = await service.app.get(DueMessageSample, { strict: false }).recent();
    expect(oldest).toBeGreaterThanOrEqual(120);
    expect(untouched).toEqual([]);
    expect((await ready()).status).toBe(200);
    gate.open();
    await eventually(() => expect(sink.mails).toHaveLength(MESSAGES));
  });

  it('is 503 with the status stopping from the signal to stop on', async () => {
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await given.mailbox(sink);
    await given.running(await given.contacts(1, 'stopping'));
    await eventually(() => expect(gate.waiting).toBe(1));
    const stopped = worker.stop();
    await eventually(async () => expect(await ready()).toMatchObject({ status: 503, body: { status: 'stopping' } }));
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    gate.open();
    expect(await stopped).toBe(0);
  });
});
