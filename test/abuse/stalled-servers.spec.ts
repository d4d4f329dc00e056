import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

/** More than the places of a worker. */
const MAILBOXES = 25;
const WEBHOOKS = 45;
/** Attempts of the attacker that are in progress before the other workspace begins. */
const IN_PROGRESS = 5;

describe('a workspace whose servers stall', () => {
  trustReceivers();
  const service = useService({ LOG_LEVEL: 'fatal' });
  let attacker: ApiClient;
  let honest: ApiClient;
  beforeAll(async () => {
    await service.startWorker();
    attacker = await service.client();
    honest = await service.client();
  });

  const count = async (statement: string, { workspaceId }: ApiClient): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(statement, [workspaceId]);
    return Number(row?.count);
  };

  it('does not delay the message of another workspace, although its mailboxes occupy every connection they get', async () => {
    const stalled = await MailSink.start();
    const sink = await MailSink.start();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    stalled.misbehave({ at: 'rcpt', wait: () => released });
    try {
      const [theirs, given] = [new Given(attacker, service.database), new Given(honest, service.database)];
      await given.mailbox(sink);
      await given.running(await given.contacts(1, 'before'));
      await eventually(() => expect(sink.mails).toHaveLength(1));
      const accounts: number[] = [];
      for (let index = 0; index < MAILBOXES; index += 1) accounts.push((await theirs.mailbox(stalled)).id);
      await theirs.running(await theirs.contacts(4 * MAILBOXES), { email_account_ids: accounts });
      await eventually(() => expect(stalled.connections).toBeGreaterThanOrEqual(IN_PROGRESS));

      await given.running(await given.contacts(1, 'during'));
      await eventually(() => expect(sink.mails).toHaveLength(2));
      const ended = `SELECT count(*) FROM messages WHERE workspace_id = $1`;
      expect(await count(ended, attacker)).toBe(0);
      expect(stalled.mails).toHaveLength(0);
    } finally {
      release();
      await stalled.stop();
      await sink.stop();
    }
  });

  it('does not delay the webhook of another workspace, although its receivers never respond', async () => {
    const silent = await WebhookReceiver.start();
    const receiver = await WebhookReceiver.start();
    silent.reply = () => 'silence';
    try {
      const subscribe = async (api: ApiClient, url: string): Promise<void> =>
        expect((await api.post('/webhooks', { url, events: ['contact.created'] })).status).toBe(201);
      await subscribe(honest, receiver.url('/honest'));
      await new Given(honest, service.database).contact();
      await eventually(() => expect(receiver.received).toHaveLength(1));
      for (let index = 0; index < WEBHOOKS; index += 1) await subscribe(attacker, silent.url(`/${index}`));
      await new Given(attacker, service.database).contact();
      await eventually(() => expect(silent.received.length).toBeGreaterThanOrEqual(IN_PROGRESS));

      await new Given(honest, service.database).contact();
      await eventually(() => expect(receiver.received).toHaveLength(2));
      expect(await count('SELECT count(*) FROM webhook_logs WHERE workspace_id = $1', attacker)).toBe(0);
    } finally {
      await silent.stop();
      await receiver.stop();
    }
  });
});
