import { getStatusCode } from 'imapflow/lib/tools.js';
import { ImapLoginRefused, ImapUnavailable } from './imap-errors.js';
import { noMethodInCommon } from '../login/login-methods.js';
import type { ReplySanitizer } from '../login/reply-text.js';
import type { ImapLogin, ImapSettings } from './imap-settings.js';

/** The fields that imapflow adds to its errors, which are not declared. */
interface ImapFailure {
  readonly code?: unknown;
  readonly response?: Parameters<typeof getStatusCode>[0];
  readonly responseText?: unknown;
  readonly responseStatus?: unknown;
  readonly serverResponseCode?: unknown;
  readonly authenticationFailed?: unknown;
  readonly reason?: unknown;
  readonly message: string;
}

/** What a failure is described with. */
export interface FailureContext {
  readonly settings: ImapSettings;
  readonly replyText: ReplySanitizer;
  readonly limit: string | undefined;
  /** What the server can do, by name (RFC 3501, 7.2.1). */
  readonly capabilities: ReadonlyMap<string, unknown>;
}

/** Response codes of a refused login that are not about the credentials (RFC 5530, 3). */
const NOT_ABOUT_CREDENTIALS: readonly unknown[] = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'PRIVACYREQUIRED'];

const CERTIFICATE = /CERT|CRL|UNABLE_TO|INVALID_CA|SELF_SIGNED|HOSTNAME_MISMATCH/;

/** Codes of imapflow for a reply that is larger than what it may keep. */
const TOO_LARGE: readonly unknown[] = ['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge'];

/**
 * Returns why a command or the login has failed, with a message for the owner of the account. The error of imapflow is
 * not set as its cause: that contains the reply text unchanged, and causes are logged.
 * @param context.limit why this process closed the connection, if it did
 */
export function imapFailure(
  error: unknown,
  { settings, replyText, limit, capabilities }: FailureContext,
): ImapLoginRefused | ImapUnavailable {
  const failure: ImapFailure = error instanceof Error ? error : new Error(String(error));
  const isAboutMethod = [failure.message, textOf(failure)].some((text) => NO_METHOD.test(text));
  const mismatch = isAboutMethod ? methodMismatch(capabilities, settings.login) : undefined;
  const isRefusal =
    mismatch === undefined &&
    failure.authenticationFailed === true &&
    limit === undefined &&
    failure.responseStatus === 'NO' &&
    !NOT_ABOUT_CREDENTIALS.includes(failure.serverResponseCode);
  if (isRefusal) return new ImapLoginRefused(`The server refused the login: ${replyText(textOf(failure))}`);
  const reason = limit ?? replyText(mismatch ?? describe(failure));
  return new ImapUnavailable(`${settings.host}, port ${settings.port}: ${reason}`);
}

/** What imapflow, or a server such as Dovecot, says if the server knows no method that is used. */
const NO_METHOD = /Unsupported authentication|Login is disabled|No matching authentication/i;

/** The command LOGIN is used where the server offers no method of AUTHENTICATE and does not forbid it. */
const METHODS: Readonly<Record<ImapLogin['type'], readonly string[]>> = {
  password: ['PLAIN', 'LOGIN'],
  oauth: ['OAUTHBEARER', 'XOAUTH2'],
};

function methodMismatch(capabilities: ReadonlyMap<string, unknown>, login: ImapLogin): string | undefined {
  const offered = [...capabilities.keys()].map((name) => name.toUpperCase()).filter((name) => name.startsWith('AUTH='));
  return noMethodInCommon(
    offered.map((name) => name.slice('AUTH='.length)),
    METHODS[login.type],
  );
}

/** Whether the error of imapflow says that the server has refused the command, and the connection can be used on. */
export function isRefusedCommand(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseStatus }: ImapFailure = error;
  return responseStatus === 'NO' || responseStatus === 'BAD';
}

function describe(failure: ImapFailure): string {
  const code = typeof failure.code === 'string' ? failure.code : '';
  if (CERTIFICATE.test(code)) return `the certificate cannot be verified (${failure.message})`;
  if (TOO_LARGE.includes(code)) return 'the server replied with more than it may send';
  if (code === 'CONNECT_TIMEOUT' || code === 'GREETING_TIMEOUT' || code === 'ETIMEOUT') return TOO_SLOW;
  if (code.startsWith('ERR_SSL') || code === 'UPGRADE_TIMEOUT') return `TLS could not be set up (${code})`;
  if (/does not support STARTTLS/.test(failure.message)) {
    return 'the server offers no TLS, and the password is not sent without it';
  }
  const text = textOf(failure);
  if (failure.responseStatus !== undefined) {
    const replyCode = getStatusCode(failure.response) || failure.serverResponseCode;
    const reply = [text, typeof replyCode === 'string' ? `(${replyCode})` : ''].join(' ').trim();
    return reply === '' ? 'the server refused a command' : `the server replied ${reply}`;
  }
  if (typeof failure.reason === 'string') return `the server closed the connection (${failure.reason})`;
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return 'the connection was closed';
}

/** Why a session is closed whose server takes too long. */
export const TOO_SLOW = 'the server did not reply in time';

const textOf = ({ response, responseText }: ImapFailure): string =>
  [responseText, response].find((text): text is string => typeof text === 'string') ?? '';
