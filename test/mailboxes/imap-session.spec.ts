import { EgressPolicy } from '@outreach/egress';
import { type ImapSettings, openImapSession } from '@outreach/mail-sessions';
import { Dovecot, MAILBOX_PASSWORD } from '../support/dovecot.js';
import { serverAuthority } from '../support/raw-tls-server.js';

const policy = new EgressPolicy(['127.0.0.0/8']);
const YESTERDAY = new Date(Date.now() - 86_400_000);

const mail = (id: string, body = 'Hello'): string =>
  `From: anna@contact.example\r\nMessage-ID: <${id}@contact.example>\r\nSubject: ${id}\r\n\r\n${body}\r\n`;

describe('a session of IMAP with Dovecot', () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await Dovecot.start();
  });
  afterAll(() => dovecot.stop());

  const open = (fields: Partial<ImapSettings> = {}) =>
    openImapSession(
      {
        host: '127.0.0.1',
        port: dovecot.port,
        encryption: 'ssl',
        username: 'anna',
        login: { type: 'password', password: MAILBOX_PASSWORD },
        ...fields,
      },
      { policy, ca: serverAuthority },
    );

  it('finds the folders of spam and of sent mail by their attributes', async () => {
    const session = await open();
    expect(await session.folders()).toEqual({ inbox: 'INBOX', junk: 'Spam-Box', sent: 'Sent Items' });
    session.close();
  });

  it.each<[string, () => Partial<ImapSettings>]>([
    ['STARTTLS', () => ({ port: dovecot.starttlsPort, encryption: 'tls' })],
    ['XOAUTH2', () => ({ login: { type: 'oauth', access_token: dovecot.accessToken('anna') } })],
  ])('logs in by %s', async (_way, fields) => {
    const session = await open(fields());
    expect(await session.examine('INBOX')).toMatchObject({ messages: 0 });
    session.close();
  });

  it.each<[string, () => Partial<ImapSettings>]>([
    ['a wrong password', () => ({ login: { type: 'password', password: 'wrong' } })],
    [
      'an access token that has expired',
      () => ({ login: { type: 'oauth', access_token: dovecot.accessToken('anna', { secondsLeft: -5 }) } }),
    ],
    ['an access token of another user', () => ({ login: { type: 'oauth', access_token: dovecot.accessToken('bob') } })],
  ])('reports that %s is refused', async (_login, fields) => {
    await expect(open(fields())).rejects.toMatchObject({ name: 'ImapLoginRefused' });
  });

  it('reads parts of messages by number, and finds them by day', async () => {
    await dovecot.deliver('carl', [mail('one'), mail('two', 'x'.repeat(100_000))]);
    await dovecot.deliver('carl', [mail('old')], { receivedAt: new Date('2020-02-02') });
    const session = await open({ username: 'carl' });
    await session.folders();
    expect(await session.examine('INBOX')).toMatchObject({ messages: 3, uid_next: 4 });
    const found = await session.search({ from: 1, to: 3, since: YESTERDAY });
    expect(found).toHaveLength(2);
    const headers = await session.headers([1, 2, 3, 4]);
    expect(headers.map(({ header }) => /Subject: (\w+)/.exec(header.toString())?.[1]).sort()).toEqual([
      'old',
      'one',
      'two',
    ]);
    expect(headers.filter(({ received_at: at }) => at && at < YESTERDAY)).toHaveLength(1);
    const large = headers.find(({ header }) => header.includes('two'));
    expect(await session.start(large?.uid ?? 0, 1_000)).toHaveLength(1_000);
    expect(await session.start(9, 1_000)).toBeUndefined();
    session.close();
  });

  it('finds sent mail by its Message-ID', async () => {
    await dovecot.deliver('dora', [mail('sent')], { folder: 'Sent Items' });
    const session = await open({ username: 'dora' });
    expect(await session.examineSent()).toMatchObject({ messages: 1 });
    expect(await session.hasMessage('sent@contact.example')).toBe(true);
    expect(await session.hasMessage('other@contact.example')).toBe(false);
    session.close();
  });
});
