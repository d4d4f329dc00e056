import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { eventually } from '../../../../test/support/eventually.js';
import { FaultyMailServer } from '../../../../test/support/faulty-mail-server.js';
import {
  certifiedHost,
  freeLoopbackHost,
  MailSink,
  type MailSinkOptions,
  sinkAuthority,
} from '../../../../test/support/mail-sink.js';
import { EgressPolicy } from '@outreach/egress';
import { openSmtpSession, type SmtpOptions } from './open-smtp-session.js';
import { SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
import type { SmtpSession } from './smtp-session.js';
import type { SmtpSettings } from './smtp-settings.js';

const policy = new EgressPolicy(['127.0.0.0/8']);
/** Treats loopback addresses like public ones: they may be reached although they are not configured. */
const publicLoopback = new (class extends EgressPolicy {
  override allows(): boolean {
    return true;
  }
})([]);
const message = (id: string, text = 'Hello') =>
  Buffer.from(`From: a@sender.test\r\nTo: b@receiver.test\r\nMessage-ID: <${id}>\r\n\r\n${text}\r\n`);
const envelope = { from: 'a@sender.test', to: 'b@receiver.test' };

/** For sessions that are to be opened, however slow the machine is. */
const NO_TIMEOUT_MS = 3_600_000;

let sink: MailSink;
let opened: SmtpSession[] = [];
const start = async (options: MailSinkOptions = {}) => (sink = await MailSink.start(options));

const settingsOf = (changes: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: sink.account.smtp_host,
  port: sink.account.smtp_port,
  username: sink.account.smtp_username,
  login: { type: 'password', password: sink.account.smtp_password },
  encryption: sink.account.smtp_encryption,
  ...changes,
});

async function open(changes: Partial<SmtpSettings> = {}, options: Partial<SmtpOptions> = {}): Promise<SmtpSession> {
  const session = await openSmtpSession(settingsOf(changes), { policy, timeoutMs: NO_TIMEOUT_MS, ...options });
  opened.push(session);
  return session;
}

afterEach(async () => {
  jest.useRealTimers();
  for (const session of opened) session.close();
  opened = [];
  await sink?.stop();
});

/** For a timeout that must not expire before the server has replied; connections need the rest of the clock. */
const ONLY_TIMEOUTS: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
};

/** For TLS: the certificate of the sink is valid for this address. */
const named = { host: '127.0.0.1', port: 0 } as const;

describe('openSmtpSession', () => {
  it('logs in without TLS if a relay does not offer it', async () => {
    await start();
    expect(await open()).toMatchObject({ isOpen: true, isLoggedIn: true });
    expect(sink.logins).toEqual(['mailer']);
  });

  it('opens a session without login if a relay offers no AUTH', async () => {
    await start({ users: {} });
    const session = await open();
    expect(session.isLoggedIn).toBe(false);
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'accepted' });
  });

  it('sends no password to a server that offers only other methods of login', async () => {
    await start({ methods: ['SCRAM-SHA-256', 'XOAUTH2'] });
    const failure = open();
    await expect(failure).rejects.toThrow(SmtpUnavailable);
    await expect(failure).rejects.toThrow(
      'no login method in common: the server offers SCRAM-SHA-256, XOAUTH2; this service uses PLAIN, LOGIN, CRAM-MD5',
    );
    expect(sink.attempts).toEqual([]);
  });

  it.each([
    ['https://outreach.example.com', 'outreach.example.com'],
    ['http://localhost:3000', 'localhost.localdomain'],
  ])('introduces itself, with PUBLIC_URL %s, as %s', async (publicUrl, name) => {
    await start();
    await (await open({}, { publicUrl })).send(envelope, message('1'));
    expect(sink.mails).toMatchObject([{ client_name: name }]);
  });

  it('uses TLS from the start with ssl', async () => {
    await start({ ...named, encryption: 'implicit' });
    const session = await open({}, { ca: sinkAuthority });
    await session.send(envelope, message('1'));
    expect(sink.mails).toMatchObject([{ message_id: '1', user: 'mailer', encrypted: true }]);
  });

  it('uses STARTTLS with tls', async () => {
    await start({ ...named, encryption: 'starttls' });
    const session = await open(
      { host: 'localhost' },
      { ca: sinkAuthority, policy: new EgressPolicy(['127.0.0.0/8', '::1/128']) },
    );
    await session.send(envelope, message('1'));
    expect(sink.mails).toMatchObject([{ message_id: '1', user: 'mailer', encrypted: true }]);
  });

  it.each(['implicit', 'starttls'] as const)(
    'refuses a certificate of an unknown authority (%s)',
    async (encryption) => {
      await start({ ...named, encryption });
      const failure = open();
      await expect(failure).rejects.toThrow(SmtpUnavailable);
      await expect(failure).rejects.toThrow('the certificate cannot be verified');
      expect(sink.logins).toEqual([]);
    },
  );

  it('refuses a certificate for another name', async () => {
    await start({ port: 0, encryption: 'implicit' });
    await expect(open({}, { ca: sinkAuthority })).rejects.toThrow('the certificate cannot be verified');
  });

  it('accepts any certificate for STARTTLS on a relay port', async () => {
    await start({ encryption: 'starttls' });
    await (await open()).send(envelope, message('1'));
    expect(sink.mails).toMatchObject([{ encrypted: true }]);
  });

  it('fails without STARTTLS on other ports', async () => {
    await start({ port: 0 });
    await expect(open()).rejects.toThrow('the server does not offer STARTTLS');
    expect(sink.logins).toEqual([]);
  });

  it('does not send the password without TLS, unless the address is configured', async () => {
    await start();
    const failure = open({}, { policy: publicLoopback });
    await expect(failure).rejects.toThrow(SmtpUnavailable);
    await expect(failure).rejects.toThrow('the server offers no TLS, and the password is not sent without it');
    expect(sink.logins).toEqual([]);
  });

  it('does not send the password over TLS with an unknown certificate, unless the address is configured', async () => {
    await eventually(() => start({ host: certifiedHost, encryption: 'starttls' }));
    await expect(open({}, { policy: publicLoopback })).rejects.toThrow('the certificate cannot be verified');
    expect(sink.logins).toEqual([]);
    expect((await open({}, { policy: publicLoopback, ca: sinkAuthority })).isOpen).toBe(true);
    expect(sink.logins).toEqual(['mailer']);
  });

  it('opens a session without TLS if a public relay offers no AUTH', async () => {
    await start({ users: {} });
    expect((await open({}, { policy: publicLoopback })).isOpen).toBe(true);
  });

  it('logs in with an access token, which is sent once and as the only method', async () => {
    await start({
      host: '127.0.0.1',
      port: 0,
      encryption: 'implicit',
      users: { anna: 'password' },
      tokens: { anna: 'token' },
    });
    const login = { type: 'oauth', access_token: 'token' } as const;
    expect((await open({ username: 'anna', login }, { ca: sinkAuthority })).isOpen).toBe(true);
    expect(sink.logins).toEqual(['anna']);
    expect(sink.attempts).toEqual(['XOAUTH2 anna']);
  });

  it('throws SmtpLoginRefused for an access token that the server refuses, after one attempt', async () => {
    await start({ host: '127.0.0.1', port: 0, encryption: 'implicit', tokens: { anna: 'token' } });
    const login = { type: 'oauth', access_token: 'secret-token' } as const;
    const failure = open({ username: 'anna', login }, { ca: sinkAuthority });
    await expect(failure).rejects.toThrow(SmtpLoginRefused);
    await expect(failure).rejects.toThrow(/^The server refused the access token: 535 /);
    await expect(failure).rejects.not.toThrow(/secret-token/);
    expect(sink.attempts).toEqual(['XOAUTH2 anna']);
  });

  it('hides an access token that a server repeats in its refusal', async () => {
    await start({ host: '127.0.0.1', port: 0, encryption: 'implicit', tokens: { anna: 'token' } });
    const sent = Buffer.from('user=anna\x01auth=Bearer secret-token\x01\x01').toString('base64');
    sink.misbehave({ at: 'login', refuse: [535, `5.7.8 wrong: secret-token ${sent}`] });
    const login = { type: 'oauth', access_token: 'secret-token' } as const;
    await expect(open({ username: 'anna', login }, { ca: sinkAuthority })).rejects.toThrow(
      'The server refused the access token: 535 5.7.8 wrong: [hidden] [hidden]',
    );
  });

  it('sends no access token without STARTTLS, on any port', async () => {
    await start({ encryption: 'none', tokens: { anna: 'token' } });
    const login = { type: 'oauth', access_token: 'token' } as const;
    const failure = open({ username: 'anna', login, encryption: 'tls' }, { ca: sinkAuthority });
    await expect(failure).rejects.toThrow(SmtpUnavailable);
    await expect(failure).rejects.toThrow(/STARTTLS/);
    expect(sink.attempts).toEqual([]);
  });

  it('throws SmtpLoginRefused for a wrong password, without repeating it in the message', async () => {
    await start();
    sink.misbehave({ at: 'login', refuse: [535, '5.7.8 wrong: sesame AG1haWxlcgBzZXNhbWU= c2VzYW1l'] });
    const failure = open({ login: { type: 'password', password: 'sesame' } });
    await expect(failure).rejects.toThrow(SmtpLoginRefused);
    await expect(failure).rejects.toThrow(
      'The server refused the user name and password: 535 5.7.8 wrong: [hidden] [hidden] [hidden]',
    );
  });

  it.each([
    [454, 'Temporary authentication failure'],
    [538, 'Encryption required'],
  ])('throws SmtpUnavailable if the login fails with %i', async (code, text) => {
    await start();
    sink.misbehave({ at: 'login', refuse: [code, text] });
    await expect(open()).rejects.toThrow(SmtpUnavailable);
    await expect(open()).rejects.toThrow(`the login failed (${code} ${text})`);
  });

  it('quotes the reply of a server that refuses the connection', async () => {
    await start();
    sink.misbehave({ at: 'connect', refuse: [554, 'No service for you'] });
    await expect(open()).rejects.toThrow('the server replied 554 No service for you');
    sink.behave();
    sink.misbehave({ at: 'connect', drop: true });
    await expect(open()).rejects.toThrow('the connection was closed');
  });

  it('fails if the host is not public, does not exist or refuses the connection', async () => {
    await start();
    await expect(open({}, { policy: new EgressPolicy([]) })).rejects.toThrow(`The host ${sink.host} is not public`);
    await expect(open({ host: 'nowhere.invalid' })).rejects.toThrow('No address was found');
    await expect(open({ port: 2524 })).rejects.toThrow('port 2524: the connection was refused');
  });

  it('gives the server five minutes for the greeting', async () => {
    const silent = await FaultyMailServer.start({ replies: { greeting: '' } });
    jest.useFakeTimers(ONLY_TIMEOUTS);
    let isOver = false;
    const { smtp_host: host, smtp_port: port } = silent.account;
    const opening = openSmtpSession(
      { host, port, username: 'nobody', login: { type: 'password', password: 'nothing' }, encryption: 'tls' },
      { policy },
    ).finally(() => (isOver = true));
    opening.catch(() => undefined);
    await eventually(() => expect(silent.connections).toBe(1));
    // The timeout has begun before the connection is there for the server, or right after that.
    await eventually(() => expect(jest.getTimerCount()).toBeGreaterThan(1));
    jest.advanceTimersByTime(299_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    jest.advanceTimersByTime(2_000);
    await expect(opening).rejects.toThrow('the server did not reply in time');
    await silent.stop();
  });

  it('is not opened any more when its signal is aborted', async () => {
    await start();
    sink.misbehave({ at: 'connect', wait: () => new Promise(() => undefined) });
    const ending = new AbortController();
    const opening = open({}, { signal: ending.signal });
    await eventually(() => expect(sink.connections).toBe(1));
    ending.abort();
    await expect(opening).rejects.toThrow(SmtpUnavailable);
  });

  it('fails if the server does not reply in time', async () => {
    await start();
    sink.misbehave({ at: 'login', wait: () => new Promise(() => undefined) });
    await expect(open({}, { timeoutMs: 200 })).rejects.toThrow('the server did not reply in time');
  });
});

describe.each([true, false])('an SMTP session (pipelining: %s)', (pipelining) => {
  beforeEach(() => start({ pipelining }));

  it('sends many messages on one connection, also after refusals', async () => {
    sink.misbehave({ at: 'rcpt', matches: /nobody/, refuse: [550, '5.1.1 No such user'] });
    sink.misbehave({ at: 'mail', matches: /banned/, refuse: [451, 'Not now'] });
    sink.misbehave({ at: 'reply', matches: /strict/, refuse: [554, '5.7.1 Looks like spam'] });
    const session = await open();
    const refused = { kind: 'refused', permanent: true };
    expect(await session.send({ ...envelope, to: 'nobody@x.test' }, message('1'))).toEqual({
      ...refused,
      phase: 'rcpt',
      code: 550,
      enhanced: '5.1.1',
      response: '550 5.1.1 No such user',
    });
    expect(await session.send({ ...envelope, from: 'banned@x.test' }, message('2'))).toEqual({
      kind: 'refused',
      permanent: false,
      phase: 'mail',
      code: 451,
      response: '451 Not now',
    });
    expect(await session.send({ ...envelope, to: 'strict@x.test' }, message('3'))).toMatchObject({
      ...refused,
      phase: 'message',
      code: 554,
      enhanced: '5.7.1',
    });
    expect(await session.send(envelope, async () => message('4'), { mayContinue: async () => true })).toMatchObject({
      kind: 'accepted',
      response: expect.stringContaining('250'),
    });
    expect(sink.mails.map((mail) => mail.message_id)).toEqual(['4']);
    expect(sink.connections).toBe(1);
    expect(sink.mails[0]).toMatchObject({ from: 'a@sender.test', to: ['b@receiver.test'] });
  });

  it('escapes dots and normalizes line ends', async () => {
    await (await open()).send(envelope, message('1', '.\r\n..\n.hidden'));
    expect(sink.mails[0]?.raw).toContain('\r\n\r\n.\r\n..\r\n.hidden\r\n');
  });

  it('writes a large message in parts of 64 KB, and waits before each of them', async () => {
    const text = '.dots at the beginning of lines\r\n'.repeat(10_000);
    const parts = Math.ceil(message('1', text).length / 65_536);
    const nextPart = jest.fn<Promise<void>, []>(async () => undefined);
    expect(await (await open()).send(envelope, message('1', text), { nextPart })).toMatchObject({ kind: 'accepted' });
    expect(sink.mails[0]?.raw).toBe(message('1', text).toString());
    expect(nextPart).toHaveBeenCalledTimes(parts - 1);
  });

  it('returns a certain result if the connection is lost before the content', async () => {
    sink.misbehave({ at: 'rcpt', drop: true });
    const compose = jest.fn(async () => message('1'));
    const session = await open();
    expect(await session.send(envelope, compose)).toMatchObject({ kind: 'lost', uncertain: false });
    expect(compose).not.toHaveBeenCalled();
    expect(session.isOpen).toBe(false);
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'lost', uncertain: false });
  });

  it('returns an uncertain result if the connection is lost before the reply to the content', async () => {
    sink.misbehave({ at: 'reply', drop: true });
    const session = await open();
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'lost', uncertain: true });
    expect(sink.mails).toHaveLength(1);
    expect(session.isOpen).toBe(false);
  });

  it('returns an uncertain result if the server does not reply to the content in time', async () => {
    sink.misbehave({ at: 'reply', wait: () => new Promise(() => undefined) });
    const session = await open({}, { replyTimeoutMs: 200 });
    expect(await session.send(envelope, message('1'))).toEqual({
      kind: 'lost',
      uncertain: true,
      reason: 'The server did not reply in time',
    });
  });

  it('does not send the content if mayContinue returns false', async () => {
    const session = await open();
    const mayContinue = jest.fn(async () => false);
    expect(await session.send(envelope, message('1'), { mayContinue })).toEqual({ kind: 'aborted' });
    expect(mayContinue).toHaveBeenCalledTimes(1);
    expect(session.isOpen).toBe(false);
    await eventually(async () => expect((await (await open()).send(envelope, message('2'))).kind).toBe('accepted'));
    expect(sink.mails.map((mail) => mail.message_id)).toEqual(['2']);
  });

  it('does not send the final dot if mayContinue returns false after a large content', async () => {
    const session = await open();
    const answers = [true, false];
    const mayContinue = async () => answers.shift() ?? false;
    const large = message('1', 'a line\r\n'.repeat(10_000));
    expect(await session.send(envelope, large, { mayContinue })).toEqual({ kind: 'aborted' });
    expect(session.isOpen).toBe(false);
    await (await open()).send(envelope, message('2'));
    expect(sink.mails.map((mail) => mail.message_id)).toEqual(['2']);
  });

  it('returns a certain result if the connection is lost before the final dot', async () => {
    sink.misbehave({ at: 'content', drop: true });
    const session = await open();
    // The result does not wait for the end of the delay.
    const finalDotDelayMs = 5_000;
    expect(await session.send(envelope, message('1'), { finalDotDelayMs })).toMatchObject({
      kind: 'lost',
      uncertain: false,
    });
    expect(sink.mails).toEqual([]);
  });

  it('returns a certain result if the connection is lost while a long message is sent', async () => {
    sink.misbehave({ at: 'content', drop: true });
    const text = `${'x'.repeat(70)}\r\n`.repeat(500_000);
    expect(await (await open()).send(envelope, message('1', text))).toMatchObject({ kind: 'lost', uncertain: false });
  });

  it('gives the server more time for the reply to the final dot than for the rest', async () => {
    let replied = (): void => undefined;
    sink.misbehave({ at: 'reply', wait: () => new Promise<void>((resolve) => (replied = resolve)) });
    const session = await open({}, { messageTimeoutMs: 300 });
    jest.useFakeTimers(ONLY_TIMEOUTS);
    const result = session.send(envelope, message('1'));
    await eventually(() => expect(sink.mails).toHaveLength(1));
    jest.advanceTimersByTime(600);
    replied();
    expect(await result).toMatchObject({ kind: 'accepted' });
  });

  it('returns a certain result if the server does not reply to a command in time', async () => {
    sink.misbehave({ at: 'rcpt', wait: () => new Promise(() => undefined) });
    const session = await open({}, { messageTimeoutMs: 200 });
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'lost', uncertain: false });
  });

  it('does not call mayContinue if the server refuses the recipient', async () => {
    sink.misbehave({ at: 'rcpt', refuse: [452, 'Too many'] });
    const mayContinue = jest.fn(async () => true);
    expect(await (await open()).send(envelope, message('1'), { mayContinue })).toMatchObject({
      permanent: false,
      phase: 'rcpt',
    });
    expect(mayContinue).not.toHaveBeenCalled();
  });

  it('waits for mayContinue even if the connection is lost meanwhile', async () => {
    const session = await open();
    let decided = false;
    const mayContinue = async () => {
      sink.hangUp();
      await eventually(() => expect(session.isOpen).toBe(false));
      decided = true;
      return true;
    };
    const result = await session.send(envelope, message('1'), { mayContinue });
    expect(decided).toBe(true);
    expect(result).toMatchObject({ kind: 'lost', uncertain: false });
    expect(sink.mails).toEqual([]);
  });

  it('throws what composing throws, and closes the session', async () => {
    const session = await open();
    const error = new Error('No such template');
    await expect(session.send(envelope, () => Promise.reject(error))).rejects.toBe(error);
    expect(session.isOpen).toBe(false);
    expect(sink.mails).toEqual([]);
  });

  it('is not open after the server has closed the connection', async () => {
    const session = await open();
    await session.send(envelope, message('1'));
    sink.hangUp();
    await eventually(() => expect(session.isOpen).toBe(false));
  });

  it('sends nothing after it was closed', async () => {
    const session = await open();
    session.close();
    expect(session.isOpen).toBe(false);
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'lost', uncertain: false });
  });
});

describe('an SMTP session with a server that violates the protocol', () => {
  let server: Server;
  let received: string;

  /** Replies to each line as the table says. */
  async function scripted(replies: Readonly<Record<string, string>>): Promise<SmtpSettings> {
    const host = freeLoopbackHost();
    received = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 rogue\r\n');
      socket.on('data', (bytes) => {
        received += bytes.toString();
        for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
          socket.write(replies[line.slice(0, 4).toUpperCase()] ?? '250 ok\r\n');
        }
      });
    });
    server.listen(2525, host);
    await once(server, 'listening');
    return { host, port: 2525, username: 'u', login: { type: 'password', password: 'p' }, encryption: 'tls' };
  }

  afterEach(() => new Promise((closed) => server.close(closed)));

  it('is not opened if the server never ends its reply', async () => {
    const settings = await scripted({ EHLO: '250-more\r\n'.repeat(200_000) });
    await expect(openSmtpSession(settings, { policy })).rejects.toThrow(SmtpUnavailable);
  });

  it('sends no content if the server refuses it in advance', async () => {
    const session = await openSmtpSession(await scripted({ DATA: '354 go\r\n451 or rather not\r\n' }), { policy });
    const mayContinue = async () => {
      await eventually(() => expect(session.isOpen).toBe(false));
      return true;
    };
    const result = await session.send(envelope, message('1'), { mayContinue });
    expect(result).toMatchObject({ kind: 'refused', permanent: false, phase: 'message', code: 451 });
    expect(received).toMatch(/DATA\r\n$/);
  });

  it('returns an uncertain result if the reply is not valid', async () => {
    const session = await openSmtpSession(await scripted({ DATA: '354 go\r\n', FROM: 'well\r\n' }), { policy });
    expect(await session.send(envelope, message('1'))).toMatchObject({ kind: 'lost', uncertain: true });
    expect(session.isOpen).toBe(false);
  });
});
