import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import {
  AddressRefused,
  connect,
  type EgressPolicy,
  HostUnreachable,
  HostUnresolvable,
  normalizeHost,
} from '../../platform/egress/index.js';
import { NO_LOGIN, openingFailure } from './opening-failure.js';
import { replySanitizer } from './reply-text.js';
import { SmtpDialogue, type StepResult } from './smtp-dialogue.js';
import { SmtpUnavailable } from './smtp-errors.js';
import { OpenSmtpSession, type SmtpSession } from './smtp-session.js';
import { isOpportunistic, type SmtpSettings } from './smtp-settings.js';

const OPENING_TIMEOUT_MS = 10_000;
const MESSAGE_TIMEOUT_MS = 120_000;

/** Which addresses a session may reach, and its timeouts. */
export interface SmtpOptions {
  /** Which addresses may be reached. */
  readonly policy: EgressPolicy;
  /** Milliseconds until the login is complete; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds for one message, and for the idle time between two; 120,000 by default. */
  readonly messageTimeoutMs?: number;
  /** PEM of the only trusted authority, instead of those of Node and of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
}

/**
 * Connects to a mail server, encrypts and logs in (API v1, "Email accounts"). `ssl` is TLS from the start; `tls` is
 * STARTTLS, which must be offered and whose certificate must be trusted. On ports 25 and 2525 STARTTLS and AUTH are
 * used if offered, and any certificate is accepted, because an attacker could also remove the offer (RFC 7435).
 * @throws SmtpLoginRefused if user name or password are wrong
 * @throws SmtpUnavailable for every other reason
 */
export async function openSmtpSession(settings: SmtpSettings, options: SmtpOptions): Promise<SmtpSession> {
  const { timeoutMs = OPENING_TIMEOUT_MS, messageTimeoutMs = MESSAGE_TIMEOUT_MS } = options;
  const deadline = performance.now() + timeoutMs;
  const socket = await connectTo(settings, options);
  // No `await` between here and `connect`, which adds the listener for errors of the socket.
  const connection = new SMTPConnection(connectionOptions(settings, options, socket));
  const dialogue = new SmtpDialogue(connection);
  const replyText = replySanitizer(settings);
  const { failure } = await logIn(connection, dialogue, settings, () => deadline - performance.now());
  if (failure) {
    connection.close();
    throw openingFailure(failure, settings, replyText);
  }
  return new OpenSmtpSession(connection, dialogue, replyText, messageTimeoutMs);
}

/** @param remainingMs returns the milliseconds that are left */
async function logIn(
  connection: SMTPConnection,
  dialogue: SmtpDialogue,
  settings: SmtpSettings,
  remainingMs: () => number,
): Promise<StepResult<unknown>> {
  const connected = await dialogue.step<void>((done) => connection.connect(done), remainingMs());
  if (connected.failure) return connected;
  if (!connection.allowsAuth) {
    return isOpportunistic(settings) ? {} : { failure: Object.assign(new Error(), { code: NO_LOGIN }) };
  }
  const { username: user, password: pass } = settings;
  return dialogue.step<boolean>((done) => connection.login({ user, pass }, done), remainingMs());
}

async function connectTo(
  { host, port }: SmtpSettings,
  { policy, timeoutMs = OPENING_TIMEOUT_MS }: SmtpOptions,
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
  const opportunistic = isOpportunistic(settings);
  return {
    connection: socket,
    // The name that the certificate must match. nodemailer sends no SNI for an IP address.
    host: normalizeHost(settings.host),
    port: settings.port,
    secure: settings.encryption === 'ssl',
    requireTLS: settings.encryption === 'tls' && !opportunistic,
    connectionTimeout: options.timeoutMs ?? OPENING_TIMEOUT_MS,
    greetingTimeout: options.timeoutMs ?? OPENING_TIMEOUT_MS,
    socketTimeout: options.messageTimeoutMs ?? MESSAGE_TIMEOUT_MS,
    // Closing destroys the socket, so that a message that was sent in part is not completed. QUIT is sent before.
    socketCloseTimeout: 0,
    tls: { rejectUnauthorized: !opportunistic, ...(options.ca === undefined ? {} : { ca: options.ca }) },
  };
}
