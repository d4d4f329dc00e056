import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { drops, FaultyImapServer, type ImapReply, refuses } from '../support/faulty-imap-server.js';
import { type BadMails, imapMailbox } from '../support/imap-mailbox.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { givenSentMessage, mailOf, readAccount, replyTo, type SentMessage } from './fixture.js';

const PASSWORD = 'the password';
/** Which fetches contain a body. */
const ofBodies = (command: string): boolean => command.includes('BODY.PEEK[]');

const announcesTooMuch: ImapReply = (socket) => socket.write('* 2 FETCH (UID 2 BODY[]<0> {2147483648}\r\n');
const sendsTooMuch: ImapReply = (socket, tag) =>
  socket.write(`* 2 FETCH (UID 2 BODY[]<0> {1000000}\r\n${'x'.repeat(1_000_000)})\r\n${tag} OK done\r\n`);

describe('mails that a mailbox does not give', () => {
  trustReceivers();
  const service = useService({ MAILBOX_POLL_SECONDS: '1' });
  let server: FaultyImapServer;
  let api: ApiClient;
  let account: Schema<'EmailAccount'>;

  beforeAll(() => service.startWorker());
  beforeEach(async () => {
    server = await FaultyImapServer.start(imapMailbox([]));
    api = await service.client();
    const imap = { imap_host: '127.0.0.1', imap_port: server.port, imap_encryption: 'ssl' };
    account = (
      await api.post('/email-accounts', readAccount({ ...imap, imap_username: 'sales', imap_password: PASSWORD }))
    ).data;
  });
  afterEach(() => server.stop());

  const given = () => givenSentMessage(service, api, account.id);
  const current = async (): Promise<Schema<'EmailAccount'>> => (await api.get(`/email-accounts/${account.id}`)).data;
  const repliedAt = async ({ campaign }: SentMessage): Promise<string | null> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data[0].replied_at;
  const isReplied = (sent: SentMessage) => eventually(async () => expect(await repliedAt(sent)).not.toBeNull());
  const skipped = async (): Promise<object[]> => (await api.get('/events?event=email_account.mail_skipped')).data;
  const reading = async () =>
    (
      await service.database.query<{ failures: number; is_due: boolean }>(
        'SELECT failures, next_read_at <= now() AS is_due FROM mailbox_readings WHERE email_account_id = $1',
        [account.id],
      )
    )[0];
  /** The mailbox is read again in an hour, as after many failures. */
  const pause = () =>
    service.database.query(
      `UPDATE mailbox_readings SET next_read_at = now() + interval '1 hour', failures = 20 WHERE email_account_id = $1`,
      [account.id],
    );

  it.each<[string, BadMails, ((command: string) => boolean)?]>([
    ['refused', { 2: refuses('[SERVERBUG] Internal error') }],
    ['refused after its header', { 2: refuses('[SERVERBUG] Internal error') }, ofBodies],
    ['announced with 2 GB', { 2: announcesTooMuch }, ofBodies],
    ['sent with more bytes than were asked for', { 2: sendsTooMuch }],
    ['the end of the connection', { 2: drops }],
    ['refused, like the ones beside it', { 1: refuses('no'), 2: drops, 3: refuses('no') }],
    ['refused, like most', Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((uid) => [uid, refuses('no')]))],
  ])('keep no others from being read: one is %s', async (_what, bad, isBad) => {
    const sent = await given();
    const mails = Array.from({ length: 7 }, () => replyTo(sent));
    const answered = await given();
    server.behaviour = imapMailbox([...mails, replyTo(answered)], bad, isBad);
    await isReplied(answered);
    await eventually(async () =>
      expect((await current()).last_error).toMatch(/The mail \d in the folder INBOX could not be read/),
    );
    await eventually(async () => expect(await skipped()).toHaveLength(Object.keys(bad).length));
    expect((await current()).is_active).toBe(true);
  });

  it('are read when the server gives them, after which nothing is wrong', async () => {
    const [late, answered] = [await given(), await given()];
    const mails = [mailOf('a@private.example', {}), replyTo(late), replyTo(answered)];
    server.behaviour = imapMailbox(mails, { 2: refuses('[SERVERBUG] Internal error') });
    await isReplied(answered);
    await eventually(async () => expect(await skipped()).toHaveLength(1));
    expect(await repliedAt(late)).toBeNull();
    server.behaviour = imapMailbox(mails);
    await api.post(`/email-accounts/${account.id}/test`);
    await isReplied(late);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it('are all read after a time in which the server gives none', async () => {
    const sent: SentMessage[] = [];
    for (let n = 0; n < 5; n += 1) sent.push(await given());
    server.behaviour = {
      ...imapMailbox(sent.map((each) => replyTo(each))),
      'UID FETCH': refuses('[UNAVAILABLE] later'),
    };
    await eventually(async () => expect((await current()).last_error).toMatch(/later \(UNAVAILABLE\)/));
    server.behaviour = imapMailbox(sent.map((each) => replyTo(each)));
    for (const each of sent) await isReplied(each);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it('are not what is wrong if the server refuses the folder: `last_error` says so until it is read', async () => {
    server.behaviour = { ...imapMailbox([]), EXAMINE: refuses('[SERVERBUG] Internal error') };
    await eventually(async () => expect((await current()).last_error).toMatch(/Internal error \(SERVERBUG\)/));
    const { data } = await api.post(`/email-accounts/${account.id}/test`);
    expect(data.message).toMatch(/IMAP: The login works\. When the mailbox was read last: .*SERVERBUG/);
    server.behaviour = imapMailbox([]);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it.each<[string, object, object]>([
    ['IMAP password', {}, { imap_password: 'another' }],
    ['SMTP password', { imap_password: null }, { smtp_password: 'another' }],
  ])('do not make a mailbox wait that gets a new %s', async (_which, before, change) => {
    await api.put(`/email-accounts/${account.id}`, before);
    await eventually(async () => expect((await current()).mailbox_read_at).not.toBeNull());
    await eventually(async () => {
      await pause();
      expect(await reading()).toMatchObject({ failures: 20, is_due: false });
    });
    const sent = await given();
    server.behaviour = imapMailbox([replyTo(sent)]);
    await api.put(`/email-accounts/${account.id}`, change);
    await isReplied(sent);
  });

  it('do not make a mailbox wait whose password is changed while the server considers the old one', async () => {
    let refuse: (() => void) | undefined;
    const mailbox = imapMailbox([]);
    const held: ImapReply = (socket, tag) => {
      refuse = () => refuses('[AUTHENTICATIONFAILED] wrong')(socket, tag, '');
    };
    server.behaviour = { ...mailbox, credentials: held };
    await eventually(() => expect(refuse).toBeDefined());
    await api.put(`/email-accounts/${account.id}`, { imap_password: 'another' });
    await service.database.query('UPDATE mailbox_readings SET failures = 20 WHERE email_account_id = $1', [account.id]);
    const sent = await given();
    server.behaviour = imapMailbox([replyTo(sent)]);
    refuse?.();
    await isReplied(sent);
  });
});
