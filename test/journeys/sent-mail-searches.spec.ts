import type { Socket } from 'node:net';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { claimChecks, requeueChecks } from '../../src/sending/dispatch/sent-mail-checks.queries.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { completes, drops, FaultyImapServer, type ImapReply } from '../support/faulty-imap-server.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';

describe('uncertain messages that are looked for in the sent mail', () => {
  trustReceivers();
  const service = useService();
  let sink: MailSink;
  let imap: FaultyImapServer;
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => Promise.all([sink.stop(), imap.stop()]));

  const startImap = async (search: ImapReply) => {
    imap = await FaultyImapServer.start({ LIST: completes('* LIST (\\Sent) "/" Sent'), 'UID SEARCH': search });
  };
  /** A campaign of three messages that the sink accepts without a reply, from an account with this IMAP server. */
  async function uncertain(): Promise<Schema<'Campaign'>> {
    sink.misbehave({ at: 'reply', times: 3, drop: true });
    const account = await given.mailbox(sink, {
      ...{ imap_host: '127.0.0.1', imap_port: imap.port, imap_encryption: 'ssl' },
      ...{ imap_username: 'anna', imap_password: 'not checked' },
    });
    return given.running(await given.contacts(3, 'uncertain'), { email_account_ids: [account.id] });
  }
  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages`)).data;
  const areChecked = (campaign: { id: number }) =>
    eventually(async () =>
      expect((await messagesOf(campaign)).map(({ reason }) => reason)).toEqual(Array(3).fill('checking_sent_mail')),
    );
  /** Makes the next search of the messages, or of one of them, due; their connections were lost two minutes ago. */
  const makeDue = (campaign: { id: number }, only: number | null = null) =>
    service.database.query(
      `UPDATE queued_messages SET next_attempt_at = now(), lease_until = now() - interval '2 minutes'
       WHERE campaign_id = $1 AND reason = 'checking_sent_mail' AND id = coalesce($2, id)`,
      [campaign.id, only],
    );

  it('are sent if they were found before the session broke, and the others are looked for again', async () => {
    let isDown = true;
    const searched = new Set<Socket>();
    await startImap((...command) => {
      const [socket] = command;
      if (isDown || searched.has(socket)) return drops(...command);
      searched.add(socket);
      completes('* SEARCH 1')(...command);
    });
    const worker = await service.startWorker();
    const campaign = await uncertain();
    await areChecked(campaign);
    isDown = false;
    await eventually(async () => {
      await makeDue(campaign);
      expect((await messagesOf(campaign)).map(({ status }) => status)).toEqual(Array(3).fill('sent'));
    });
    expect(sink.mails).toHaveLength(3);
    await worker.close();
  });

  it('are due at once if the time was over before they were looked for, and come before the others', async () => {
    await startImap(drops);
    const worker = await service.startWorker();
    const campaign = await uncertain();
    await areChecked(campaign);
    await worker.close();
    const [account] = campaign.email_account_ids;
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const claim = async () => (await claimChecks(scope, Number(account))).map(({ id }) => id);
    await makeDue(campaign);
    const claimed = await claimChecks(scope, Number(account));
    expect(claimed).toHaveLength(3);
    await requeueChecks(scope, claimed.slice(2));
    await makeDue(campaign, claimed[0]?.id);
    expect(await claim()).toEqual([claimed[2]?.id, claimed[0]?.id]);
    expect(await claim()).toEqual([]);
  });
});
