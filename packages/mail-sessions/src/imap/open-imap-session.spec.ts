import { eventually } from '../../../../test/support/eventually.js';
import {
  completes,
  drops,
  endless,
  FaultyImapServer,
  type ImapBehaviour,
  refuses,
  silent,
} from '../../../../test/support/faulty-imap-server.js';
import { serverAuthority } from '../../../../test/support/raw-tls-server.js';
import { EgressPolicy } from '@outreach/egress';
import { ImapLoginRefused, ImapUnavailable } from './imap-errors.js';
import type { ImapSession } from './imap-session.js';
import { openImapSession } from './open-imap-session.js';

const loopback = new EgressPolicy(['127.0.0.0/8']);
/** For servers that never end a reply. */
const TIMEOUT_MS = 500;
/** For the others, which no slow machine exceeds. */
const NO_TIMEOUT = { timeoutMs: 3_600_000, commandTimeoutMs: 3_600_000 };
/** Makes a line long, so that a server has sent more than it may after few lines. */
const LONG = 'x'.repeat(2_000);
const PASSWORD = 'pass word';

const inFolder =
  (read: (session: ImapSession) => Promise<unknown>) =>
  async (session: ImapSession): Promise<unknown> => {
    await session.examine('INBOX');
    return read(session);
  };
const search = inFolder((session) => session.search({ from: 1, to: 10, since: new Date() }));
const headers = inFolder((session) => session.headers([1]));
const start = inFolder((session) => session.start(1, 100));

describe('a session with a faulty IMAP server', () => {
  let server: FaultyImapServer;
  afterEach(() => server.stop());

  const open = (fields: object = {}, options: object = {}): Promise<ImapSession> =>
    openImapSession(
      {
        host: '127.0.0.1',
        port: server.port,
        encryption: 'ssl',
        username: 'anna',
        login: { type: 'password', password: PASSWORD },
        ...fields,
      },
      { policy: loopback, ca: serverAuthority, ...NO_TIMEOUT, ...options },
    );
  const openTo = async (behaviour: ImapBehaviour, options: object = {}): Promise<ImapSession> => {
    server = await FaultyImapServer.start(behaviour);
    return open({}, options);
  };
  /** Whether a session may end with this message because of its timeout. */
  const isTimeout = (message: RegExp): boolean => message.source.includes('in time');
  const isClosed = () => eventually(() => expect(server.open).toBe(0));

  it('reads with EXAMINE and PEEK alone, and logs out', async () => {
    const session = await openTo({});
    await session.folders();
    expect(await session.examine('INBOX')).toEqual({ uid_validity: 1, uid_next: 2, messages: 1 });
    await session.headers([1]);
    await session.start(1, 100);
    session.close();
    await isClosed();
    const commands = server.commands.join('\n');
    expect(commands).not.toMatch(/SELECT|STORE|BODY\[|RFC822(?!\.SIZE)/);
    expect(commands).toContain('BODY.PEEK[]<0.100>');
    expect(server.commands.at(-1)).toBe('LOGOUT');
  });

  it.each<[string, ImapBehaviour, RegExp]>([
    ['is silent instead of a greeting', { greeting: silent }, /did not reply in time/],
    ['is silent after the password', { credentials: silent }, /did not reply in time/],
    ['closes the connection at once', { greeting: drops }, /was closed/],
    ['closes the connection during the login', { credentials: drops }, /was closed/],
    ['never ends a line', { greeting: endless('* OK '.repeat(10_000)) }, /more than it may send/],
    ['never ends its greetings', { greeting: endless(`* OK ${LONG}\r\n`.repeat(50)) }, /more than|in time/],
    [
      'announces a literal of 2 GB',
      { CAPABILITY: completes('* X {2147483648}'), greeting: (s) => s.write('* OK hi\r\n') },
      /more than it may send/,
    ],
    [
      'speaks another protocol',
      { greeting: (socket) => socket.write('220 mail.example ESMTP\r\n') },
      /in time|was closed/,
    ],
    [
      'is not available for the login',
      { credentials: (socket, tag) => socket.write(`${tag} NO [UNAVAILABLE] try later\r\n`) },
      /replied try later/,
    ],
    ['says goodbye', { greeting: (socket) => socket.write('* BYE too many connections\r\n') }, /too many connections/],
  ])('opens no session to a server that %s', async (_behaviour, behaviour, message) => {
    const options = isTimeout(message) ? { timeoutMs: TIMEOUT_MS } : {};
    const error = await openTo(behaviour, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImapUnavailable);
    expect(String(error)).toMatch(message);
    await isClosed();
  });

  it('says that the server refuses the login, without the password that the server repeats', async () => {
    const refusal = Buffer.from(`\0anna\0${PASSWORD}`).toString('base64');
    const opening = openTo({
      credentials: (socket, tag) => socket.write(`${tag} NO [AUTHENTICATIONFAILED] not ${PASSWORD} ${refusal}\r\n`),
    });
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImapLoginRefused);
    expect(String(error)).toBe('ImapLoginRefused: The server refused the login: not [hidden] [hidden]');
  });

  it.each([
    ['AUTH=SCRAM-SHA-256 AUTH=SCRAM-SHA-1 LOGINDISABLED', 'offers SCRAM-SHA-256, SCRAM-SHA-1;'],
    ['LOGINDISABLED', 'offers none that is allowed on this connection;'],
  ])('sends no password to a server with the capabilities %s', async (capabilities, offer) => {
    const error = await openTo({
      greeting: (socket) => socket.write(`* OK [CAPABILITY IMAP4rev1 ${capabilities}] ready\r\n`),
      CAPABILITY: completes(`* CAPABILITY IMAP4rev1 ${capabilities}`),
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImapUnavailable);
    expect(String(error)).toContain(`no login method in common: the server ${offer} this service uses PLAIN, LOGIN`);
    expect(server.commands.join()).not.toMatch(/LOGIN|AUTHENTICATE/);
  });

  it('says that there is no method in common if the server refuses LOGIN for that, not the password', async () => {
    const error = await openTo({
      greeting: (socket) => socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=SCRAM-SHA-256] ready\r\n'),
      CAPABILITY: completes('* CAPABILITY IMAP4rev1 AUTH=SCRAM-SHA-256'),
      LOGIN: (socket, tag) => socket.write(`${tag} NO [ALERT] Unsupported authentication mechanism.\r\n`),
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImapUnavailable);
    expect(String(error)).toContain('no login method in common: the server offers SCRAM-SHA-256;');
  });

  it('sends the password to no server whose certificate is not trusted', async () => {
    server = await FaultyImapServer.start();
    await expect(open({}, { ca: undefined })).rejects.toThrow(/certificate cannot be verified/);
    await expect(open({ host: 'localhost' }, { policy: new EgressPolicy([]) })).rejects.toThrow('not public');
    expect(server.commands).toEqual([]);
  });

  const large = (socket: { write(text: string): unknown }, tag: string): void => {
    socket.write(`* 1 FETCH (UID 1 INTERNALDATE "01-Jan-2026 00:00:00 +0000" BODY[]<0> {400000}\r\n`);
    socket.write(`${'x'.repeat(400_000)})\r\n${tag} OK done\r\n`);
  };

  it.each<[string, ImapBehaviour, (session: ImapSession) => Promise<unknown>, RegExp]>([
    [
      'lists folders without end',
      { LIST: endless(`* LIST () "/" ${LONG}\r\n`.repeat(50)) },
      (s) => s.folders(),
      /more than|in time/,
    ],
    // The next ones end: no time is needed to see that it was too much.
    [
      'lists 30,000 folders',
      { LIST: completes(...Array.from({ length: 30_000 }, (_, number) => `* LIST () "/" f${number}`)) },
      (s) => s.folders(),
      /more than/,
    ],
    [
      'sends a message in very many literals',
      { 'UID FETCH': completes(`* 1 FETCH (UID 1 X (${'{0}\r\n '.repeat(100_000)}))`) },
      start,
      /more than/,
    ],
    [
      'finds messages that were not asked for',
      { 'UID SEARCH': completes(...Array.from({ length: 10 }, () => `* SEARCH${' 1'.repeat(5_000)}`)) },
      search,
      /more than/,
    ],
    [
      'opens a folder without UIDVALIDITY',
      { EXAMINE: completes('* 1 EXISTS') },
      (s) => s.examine('INBOX').finally(() => s.close()),
      /UIDVALIDITY/,
    ],
    [
      'finds messages without end',
      { 'UID SEARCH': endless(`* SEARCH${' 1'.repeat(1_000)}\r\n`.repeat(50)) },
      search,
      /more than|in time/,
    ],
    ['sends empty lines without end', { 'UID SEARCH': endless('\r\n'.repeat(10_000)) }, search, /more than|in time/],
    ['finds in a line without end', { 'UID SEARCH': endless('* SEARCH 1 2 3 '.repeat(1_000)) }, search, /more than/],
    [
      'refuses a search',
      { 'UID SEARCH': (s, tag) => s.write(`${tag} NO no\r\n`) },
      (s) => search(s).finally(() => s.close()),
      /refused a search/,
    ],
    ['is silent when it should send headers', { 'UID FETCH': silent }, headers, /in time/],
    [
      'closes the connection within a message',
      { 'UID FETCH': (s) => s.end('* 1 FETCH (UID 1 BODY[]<0> {100}\r\nabc') },
      start,
      /was closed/,
    ],
    [
      'announces a message of 2 GB',
      { 'UID FETCH': (s) => s.write('* 1 FETCH (UID 1 BODY[]<0> {2147483648}\r\n') },
      start,
      /more than it may send/,
    ],
    [
      'sends messages without end',
      { 'UID FETCH': endless(`* 1 FETCH (UID 1 BODY[HEADER]<0> "${LONG}")\r\n`.repeat(50)) },
      headers,
      /more than|in time/,
    ],
  ])('gives up on a server that %s', async (_behaviour, behaviour, read, message) => {
    const options = isTimeout(message) ? { commandTimeoutMs: TIMEOUT_MS } : {};
    const error = await openTo(behaviour, options)
      .then(read)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImapUnavailable);
    expect(String(error)).toMatch(message);
    await isClosed();
  });

  it('reads mailboxes of hundreds of folders, one list for each of them, and of headers that are long', async () => {
    const folders = Array.from(
      { length: 900 },
      (_, number) => `* LIST (\\HasNoChildren) "/" "Projects/Customer ${number}"`,
    );
    const header = `From: a@b.example\r\nReferences: ${'<1@x.example> '.repeat(1_000)}`;
    const replies = Array.from(
      { length: 100 },
      (_, index) => `* ${index + 1} FETCH (UID ${index + 1} BODY[HEADER]<0> {${header.length}}\r\n${header})`,
    );
    // The first list is that of the separator of folders.
    const session = await openTo({ LIST: completes('* LIST (\\Noselect) "/" ""') });
    server.behaviour = {
      LIST: completes(...folders, '* LIST (\\Junk) "/" Rubbish'),
      'UID FETCH': completes(...replies),
    };
    expect(await session.folders()).toEqual({ inbox: 'INBOX', junk: 'Rubbish', sent: undefined });
    await session.examine('INBOX');
    expect(await session.headers(replies.map((_, index) => index + 1))).toHaveLength(100);
    session.close();
    await isClosed();
    expect(server.commands.filter((command) => command.endsWith('"*"'))).toEqual(['LIST "" "*"']);
  });

  it('can be used on after the server has refused a command, and says why', async () => {
    const session = await openTo({ 'UID FETCH': refuses('[SERVERBUG] Internal error') });
    await session.examine('INBOX');
    await expect(session.start(1, 100)).rejects.toThrow('the server replied Internal error (SERVERBUG)');
    expect(session.isOpen).toBe(true);
    server.behaviour = { 'UID FETCH': completes('* 1 FETCH (UID 1 BODY[]<0> "Hello")') };
    expect(String(await session.start(1, 100))).toBe('Hello');
    session.close();
    await isClosed();
    expect(server.connections).toBe(1);
  });

  it('ignores messages with other numbers than those that were asked for, and surplus bytes', async () => {
    const session = await openTo({
      'UID FETCH': completes('* 1 FETCH (UID 77 INTERNALDATE "01-Jan-2026 00:00:00 +0000" BODY[HEADER]<0> "a: b")'),
      'UID SEARCH': completes('* SEARCH 5 4294967296 0 3 99'),
    });
    await session.folders();
    await session.examine('INBOX');
    expect(await session.headers([1, 2])).toEqual([]);
    expect(await session.start(1, 100)).toBeUndefined();
    expect(await session.search({ from: 2, to: 10, since: new Date() })).toEqual([3, 5]);
    server.behaviour = { 'UID FETCH': large };
    expect(await session.start(1, 400_000)).toHaveLength(400_000);
    expect(await session.start(1, 1_000)).toHaveLength(1_000);
    session.close();
  });
});
