import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import {
  AddressRefused,
  CIPHERS,
  connect,
  type EgressPolicy,
  HostUnreachable,
  HostUnresolvable,
  normalizeHost,
} from '@outreach/egress';
import { clientName } from './client-name.js';
import { NO_LOGIN, NO_METHOD, NO_TLS, openingFailure, UNVERIFIED } from './opening-failure.js';
import { noMethodInCommon } from '../login/login-methods.js';
import { replySanitizer } from '../login/reply-text.js';
import { SmtpDialogue, type StepResult } from './smtp-dialogue.js';
import { SmtpUnavailable } from './smtp-errors.js';
import { OpenSmtpSession, type SessionTimeouts, type SmtpSession } from './smtp-session.js';
import { isOpportunistic, loginSecretOf, type SmtpLogin, type SmtpSettings } from './smtp-settings.js';
import { xoauth2Handler } from './xoauth2.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** RFC 5321, 4.5.3.2.1: servers look up the name of the client, or greet late those who may send spam. */
const GREETING_TIMEOUT_MS = 300_000;
/** As long as a server may take for its reply to one command (RFC 5321, 4.5.3.2). */
const COMMAND_TIMEOUT_MS = 300_000;
/** The greeting, and what follows it up to the login. */
const OPENING_TIMEOUT_MS = GREETING_TIMEOUT_MS + COMMAND_TIMEOUT_MS;
/** A handshake needs no lookup. */
const STARTTLS_TIMEOUT_MS = 10_000;
const MESSAGE_TIMEOUT_MS = COMMAND_TIMEOUT_MS;
/** RFC 5321, 4.5.3.2.6: a shorter timeout makes copies of messages that a busy server has accepted. */
const REPLY_TIMEOUT_MS = 600_000;

/** Which addresses may be reached, and to which a password may be sent without a trusted certificate. */
export type SmtpPolicy = Pick<EgressPolicy, 'allows' | 'isInConfiguredRange'>;

/** Which addresses a session may reach, and its timeouts. */
export interface SmtpOptions {
  /** Which addresses may be reached. */
  readonly policy: SmtpPolicy;
  /**
   * Milliseconds until the login is complete. By default the server has five minutes for the greeting, and for each reply
   * after it.
   */
  readonly timeoutMs?: number;
  /** Ends the opening of the session. */
  readonly signal?: AbortSignal;
  /** Milliseconds from MAIL to the final dot of one message; 300,000 by default. */
  readonly messageTimeoutMs?: number;
  /** Milliseconds for the reply to the final dot; 600,000 by default. */
  readonly replyTimeoutMs?: number;
  /** PEM of the only trusted authority, instead of those of Node and of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
  /** The URL of the service, whose host EHLO names, see {@link clientName}. */
  readonly publicUrl?: string;
}

/**
 * Connects to a mail server, encrypts and logs in. `ssl` is TLS from the start; `tls` is
 * STARTTLS, which must be offered and whose certificate must be trusted. On ports 25 and 2525 STARTTLS and AUTH are
 * used if offered, and any certificate is accepted, because an attacker could also remove the offer (RFC 7435). The
 * password is only sent over TLS with a trusted certificate, or to an address in a configured range of the policy.
 * @throws SmtpLoginRefused if user name and password, or the access token, are refused
 * @throws SmtpUnavailable for every other reason
 */
export async function openSmtpSession(settings: SmtpSettings, options: SmtpOptions): Promise<SmtpSession> {
  const { timeoutMs, signal } = options;
  const deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  const socket = await connectTo(settings, options);
  // No `await` between here and `connect`, which adds the listener for errors of the socket.
  const connection: SMTPConnection = new SMTPConnection({
    ...connectionOptions(settings, options, socket),
    connectionTimeout: timeoutMs ?? OPENING_TIMEOUT_MS,
    // nodemailer reads it before the greeting, and before the handshake after STARTTLS.
    get greetingTimeout() {
      return timeoutMs ?? (connection.lastServerResponse ? STARTTLS_TIMEOUT_MS : GREETING_TIMEOUT_MS);
    },
  });
  const dialogue = new SmtpDialogue(connection);
  const replyText = replySanitizer({ username: settings.username, password: loginSecretOf(settings.login) });
  const close = (): void => connection.close();
  signal?.addEventListener('abort', close, { once: true });
  const { failure } = await logIn(connection, dialogue, {
    settings,
    policy: options.policy,
    timeLeft: (limitMs) => Math.min(limitMs, deadline - performance.now()),
  });
  signal?.removeEventListener('abort', close);
  if (failure || signal?.aborted) {
    connection.close();
    throw openingFailure(failure ?? new Error('it was closed'), settings, replyText);
  }
  return new OpenSmtpSession(connection, dialogue, replyText, timeoutsOf(options));
}

const timeoutsOf = ({
  messageTimeoutMs = MESSAGE_TIMEOUT_MS,
  replyTimeoutMs = REPLY_TIMEOUT_MS,
}: SmtpOptions): SessionTimeouts => ({ messageTimeoutMs, replyTimeoutMs });

/** Of a reply of many lines. The longest ones, to EHLO, have some hundred bytes. */
const MAX_REPLY_BYTES = 65_536;

interface Login {
  readonly settings: SmtpSettings;
  readonly policy: SmtpPolicy;
  /** Returns the milliseconds that a step may take: `limitMs`, or fewer that are left. */
  readonly timeLeft: (limitMs: number) => number;
}

async function logIn(
  connection: SMTPConnection,
  dialogue: SmtpDialogue,
  { settings, policy, timeLeft }: Login,
): Promise<StepResult<unknown>> {
  const connected = await dialogue.step<void>((done) => connection.connect(done), timeLeft(OPENING_TIMEOUT_MS));
  if (connected.failure) return connected;
  if (!connection.allowsAuth) return isOpportunistic(settings) ? {} : failed(NO_LOGIN);
  const obstacle = obstacleToLogin(connection._socket, policy);
  if (obstacle !== undefined) return failed(obstacle);
  const mismatch = methodMismatch(connection, settings.login);
  if (mismatch !== undefined) return failed(NO_METHOD, mismatch);
  return dialogue.step<boolean>(
    (done) => connection.login(credentialsOf(settings), done),
    timeLeft(COMMAND_TIMEOUT_MS),
  );
}

/** nodemailer chooses the method of a login with a password by what the server offers. */
const credentialsOf = ({ username: user, login }: SmtpSettings) =>
  login.type === 'password' ? { user, pass: login.password } : { user, method: BEARER };

/** A name that nodemailer does not know, for the handler that {@link connectionOptions} sets. */
const BEARER = 'BEARER';

/** What nodemailer can use, and the handler of access tokens. */
const METHODS: Readonly<Record<SmtpLogin['type'], readonly string[]>> = {
  password: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
  oauth: ['XOAUTH2'],
};

/**
 * Returns why a login would be refused whatever the password (RFC 4954, 4); undefined if the server names a method that can
 * be used, or none at all.
 */
function methodMismatch({ lastServerResponse: reply }: SMTPConnection, login: SmtpLogin): string | undefined {
  const lists = [...(reply || '').matchAll(/^250[ -]AUTH[ =](.*)$/gim)].map(([, list = '']) => list.toUpperCase());
  const offered = new Set(lists.flatMap((list) => list.match(/[\w-]+/g) ?? []));
  return offered.size === 0 ? undefined : noMethodInCommon([...offered], METHODS[login.type]);
}

const failed = (code: string, message?: string): StepResult<unknown> => ({
  failure: Object.assign(new Error(message), { code }),
});

/** Returns why the password must not be sent over this connection. */
function obstacleToLogin(socket: Socket | false | null, policy: SmtpPolicy): string | undefined {
  if (socket && policy.isInConfiguredRange(socket.remoteAddress ?? '')) return undefined;
  if (!(socket instanceof TLSSocket)) return NO_TLS;
  return socket.authorized ? undefined : UNVERIFIED;
}

async function connectTo(
  { host, port }: SmtpSettings,
  { policy, timeoutMs = CONNECT_TIMEOUT_MS }: SmtpOptions,
): Promise<Socket> {
  try {
    return await connect({ host, port, timeoutMs, policy });
  } catch (error) {
    const isKnown =
      error instanceof AddressRefused || error instanceof HostUnreachable || error instanceof HostUnresolvable;
    throw isKnown ? new SmtpUnavailable(error.message, { cause: error }) : error;
  }
}

function connectionOptions(settings: SmtpSettings, options: SmtpOptions, socket: Socket) {
  const { login } = settings;
  const opportunistic = isOpportunistic(settings);
  const { messageTimeoutMs, replyTimeoutMs } = timeoutsOf(options);
  return {
    connection: socket,
    name: clientName(options.publicUrl, socket.localAddress),
    // The name that the certificate must match. nodemailer sends no SNI for an IP address.
    host: normalizeHost(settings.host),
    port: settings.port,
    secure: settings.encryption === 'ssl',
    requireTLS: settings.encryption === 'tls' && !opportunistic,
    maxResponseSize: MAX_REPLY_BYTES,
    // Every step has a deadline of its own; this is longer than each.
    socketTimeout: 2 * (messageTimeoutMs + replyTimeoutMs),
    // Closing destroys the socket, so that a message that was sent in part is not completed. QUIT is sent before.
    socketCloseTimeout: 0,
    ...(login.type === 'oauth'
      ? { customAuth: { [BEARER]: xoauth2Handler(settings.username, login.access_token) } }
      : {}),
    tls: {
      ciphers: CIPHERS,
      rejectUnauthorized: !opportunistic,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  };
}
