import { EgressPolicy } from '@outreach/egress';
import { openImapSession } from '@outreach/mail-sessions';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Dovecot, MAILBOX_PASSWORD } from '../support/dovecot.js';
import { eventually } from '../support/eventually.js';
import { completes, FaultyImapServer } from '../support/faulty-imap-server.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { givenSentMessage, mailOf, readAccount, replyTo, type SentMessage } from './fixture.js';

let users = 0;

describe('reading mailboxes', () => {
  trustReceivers();
  const service = useService({ MAILBOX_POLL_SECONDS: '1' });
  let dovecot: Dovecot;
  let faulty: FaultyImapServer | undefined;
  let api: ApiClient;
  let user: string;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
    await service.startWorker();
  });
  afterAll(() => dovecot.stop());
  beforeEach(async () => {
    api = await service.client();
    users += 1;
    user = `user${users}`;
  });
  afterEach(async () => {
    await faulty?.stop();
    faulty = undefined;
  });

  const givenAccount = async (fields: object = {}): Promise<void> => {
    const { body, data } = await api.post('/email-accounts', readAccount({ ...dovecot.account(user), ...fields }));
    expect(body).toHaveProperty('data.id');
    account = data;
  };
  const given = () => givenSentMessage(service, api, account.id);
  const repliedAt = async ({ campaign }: SentMessage): Promise<string | null> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data[0].replied_at;
  const replies = async (): Promise<Schema<'Reply'>[]> => (await api.get('/replies')).data;
  const isReplied = (sent: SentMessage) => eventually(async () => expect(await repliedAt(sent)).not.toBeNull());
  /** Resolves when the mailbox was read to its end again. */
  async function isReadAgain(): Promise<void> {
    const before = (await api.get(`/email-accounts/${account.id}`)).data.mailbox_read_at;
    await eventually(async () => {
      const { mailbox_read_at: at } = (await api.get(`/email-accounts/${account.id}`)).data;
      expect(at).not.toBeNull();
      expect(at).not.toBe(before);
    });
  }
  const openMailbox = () =>
    openImapSession(
      {
        host: '127.0.0.1',
        port: dovecot.starttlsPort,
        encryption: 'tls',
        username: user,
        login: { type: 'password', password: MAILBOX_PASSWORD },
      },
      { policy: new EgressPolicy(['127.0.0.0/8']) },
    );

  it('records replies, bounces and complaints from the inbox and the junk folder once', async () => {
    await givenAccount();
    const [answered, bounced, junk, byAddress] = [await given(), await given(), await given(), await given()];
    const about = { message_id: bounced.message_id, address: bounced.contact.email };
    await dovecot.deliver(user, [
      replyTo(answered),
      reportedMail('postfix-dead', about).toString(),
      mailOf(byAddress.contact.email, { Subject: 'About your mail' }),
    ]);
    await dovecot.deliver(user, [replyTo(junk)], { folder: 'Spam-Box' });
    for (const sent of [answered, junk, byAddress]) await isReplied(sent);
    await eventually(async () => {
      expect((await api.get(`/contacts/${bounced.contact.id}`)).data.status).toBe('bounced');
    });
    await isReadAgain();
    await isReadAgain();
    expect(await replies()).toHaveLength(3);
  });

  it('finds a bounce that names its message in the text alone, whatever its sender and form', async () => {
    await givenAccount();
    const [returned, mentioned, unmarked] = [await given(), await given(), await given()];
    const dead = '550 5.1.1 User unknown';
    const copy = `Message headers follow.\r\n\r\nMessage-ID: <${returned.message_id}>\r\n`;
    const attached = ({ message_id: id }: SentMessage): string =>
      `--b\r\n\r\n${dead}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <${id}>\r\n\r\nHello\r\n--b--`;
    const encoded = Buffer.from(`${dead}\r\n\r\nMessage-ID: <${unmarked.message_id}>\r\n`).toString('base64');
    const parts = { 'Content-Type': 'multipart/mixed; boundary=b' };
    await dovecot.deliver(user, [
      mailOf('MAILER-DAEMON <>', { Subject: 'Mail delivery failed' }, `Not delivered:\r\n${dead}\r\n\r\n${copy}`),
      mailOf('gateway@mx.example', { Subject: 'Undeliverable: Hello', ...parts }, attached(mentioned)),
      mailOf('info@mx.example', { Subject: 'Hello', 'Content-Transfer-Encoding': 'base64' }, encoded),
    ]);
    for (const { contact } of [returned, mentioned, unmarked])
      await eventually(async () => expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('bounced'));
  });

  it('marks no mail as seen, and keeps nothing of mail that is not about its messages', async () => {
    await givenAccount();
    const sent = await given();
    await dovecot.deliver(user, [mailOf('friend@private.example', { Subject: 'Private' }, 'A secret'), replyTo(sent)]);
    await isReplied(sent);
    await isReadAgain();
    const unseen = await dovecot.unseen(user);
    expect(unseen).toBe(2);
    expect(await replies()).toHaveLength(1);
  });

  it('does not read mail from before the day of the connection', async () => {
    await givenAccount();
    const [old, fresh] = [await given(), await given()];
    await dovecot.deliver(user, [replyTo(old)], { receivedAt: new Date(Date.now() - 2 * 86_400_000) });
    await dovecot.deliver(user, [replyTo(fresh)]);
    await isReplied(fresh);
    await isReadAgain();
    expect(await repliedAt(old)).toBeNull();
  });

  it('reads a mailbox again that was recreated with other numbers, which changes nothing', async () => {
    await givenAccount();
    const [first, second] = [await given(), await given()];
    const mail = replyTo(first);
    await dovecot.deliver(user, [mailOf('a@private.example', {}), mailOf('b@private.example', {}), mail]);
    await isReplied(first);
    await isReadAgain();
    await dovecot.recreate(user);
    await dovecot.deliver(user, [mail, replyTo(second)]);
    await isReplied(second);
    await isReadAgain();
    expect(await replies()).toHaveLength(2);
  });

  it('goes on after a notice that names an address with a NUL', async () => {
    await givenAccount();
    const [bounced, answered] = [await given(), await given()];
    const notice = ['Delivery has failed:', '<a\0b@x.test>', '550 5.1.1 No', `Message-ID: <${bounced.message_id}>`];
    const encoding = { 'Content-Transfer-Encoding': 'base64' };
    const encoded = Buffer.from(notice.join('\n')).toString('base64');
    const reference = { 'In-Reply-To': `<${bounced.message_id}>` };
    await dovecot.deliver(user, [mailOf('mailer-daemon@mx.example', { ...reference, ...encoding }, encoded)]);
    await dovecot.deliver(user, [replyTo(answered)]);
    await isReplied(answered);
    const { data } = await api.get(`/campaigns/${bounced.campaign.id}/messages`);
    expect(data).toMatchObject([{ status: 'bounced' }]);
  });

  it('goes on after a sender with a NUL in the address', async () => {
    const header = 'From: Ann <a\0b@x.test>\r\n\r\n';
    const fields = `UID 1 INTERNALDATE "01-Jan-2099 00:00:00 +0000" BODY[HEADER]<0> {${header.length}}\r\n${header}`;
    faulty = await FaultyImapServer.start({ 'UID FETCH': completes(`* 1 FETCH (${fields})`) });
    await givenAccount({ imap_port: faulty.port, imap_encryption: 'ssl' });
    await isReadAgain();
  });

  it('records a mail that a server says to have received in the future as received now', async () => {
    // Empty at first: a mail that is found before it can be fetched would not be read again.
    const empty = completes('* 0 EXISTS', '* OK [UIDVALIDITY 1] valid', '* OK [UIDNEXT 1] next');
    faulty = await FaultyImapServer.start({ EXAMINE: empty });
    await givenAccount({ imap_port: faulty.port, imap_encryption: 'ssl' });
    const sent = await given();
    const text = 'I am away until Monday.';
    const mail = mailOf(
      sent.contact.email,
      { 'In-Reply-To': `<${sent.message_id}>`, 'Auto-Submitted': 'auto-replied' },
      text,
    );
    const header = mail.slice(0, mail.indexOf(text));
    const parts = [`BODY[HEADER]<0> {${header.length}}\r\n${header}`, `BODY[]<0> {${mail.length}}\r\n${mail}`];
    const fields = `UID 1 INTERNALDATE "31-Dec-9999 00:00:00 +0000" ${parts.join(' ')}`;
    faulty.behaviour = { 'UID FETCH': completes(`* 1 FETCH (${fields})`) };
    await eventually(async () => expect(await replies()).toHaveLength(1));
    const [{ received_at: receivedAt } = { received_at: '' }] = await replies();
    expect(Date.parse(receivedAt)).toBeLessThanOrEqual(Date.now());
  });

  it('reads the beginning of a mail of 50 MB', async () => {
    await givenAccount();
    const sent = await given();
    await dovecot.deliver(user, [replyTo(sent, `Yes\r\n${'x'.repeat(76)}\r\n`.repeat(600_000))]);
    await isReplied(sent);
  });

  it('reads the mailbox of an account that is connected later, and stops when the host is cleared', async () => {
    await givenAccount({ imap_host: null });
    expect(account).toMatchObject({ reads_mailbox: false, imap_host: null, mailbox_read_at: null });
    const sent = await given();
    await dovecot.deliver(user, [replyTo(sent)]);
    const { data } = await api.put(`/email-accounts/${account.id}`, dovecot.account(user));
    expect(data).toMatchObject({ reads_mailbox: true });
    await isReplied(sent);
    await api.put(`/email-accounts/${account.id}`, { imap_host: null });
    const rows = await service.database.query('SELECT 1 FROM mailbox_readings WHERE email_account_id = $1', [
      account.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('leaves an account on whose IMAP password is refused, and reads it once the password is right', async () => {
    await givenAccount({ imap_password: 'wrong' });
    const sent = await given();
    await dovecot.deliver(user, [replyTo(sent)]);
    await eventually(async () => {
      const [row] = await service.database.query<{ failures: number }>(
        'SELECT failures FROM mailbox_readings WHERE email_account_id = $1',
        [account.id],
      );
      expect(row?.failures).toBeGreaterThan(0);
    });
    const { data } = await api.get(`/email-accounts/${account.id}`);
    expect(data).toMatchObject({ is_active: true, reads_mailbox: true, mailbox_read_at: null });
    const test = await api.post(`/email-accounts/${account.id}/test`);
    expect(test.status).toBe(422);
    expect(test.data).toMatchObject({ success: false, message: expect.stringMatching(/IMAP: .*refused the login/) });
    await api.put(`/email-accounts/${account.id}`, { imap_password: MAILBOX_PASSWORD });
    await isReplied(sent);
  });

  it('reads a session without changing the mailbox', async () => {
    await dovecot.deliver(user, [mailOf('a@private.example', {})]);
    const session = await openMailbox();
    await session.examine('INBOX');
    await session.start(1, 1_000);
    session.close();
    expect(await dovecot.unseen(user)).toBe(1);
  });
});
