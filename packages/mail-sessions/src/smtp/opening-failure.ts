import type { ReplySanitizer } from '../login/reply-text.js';
import { type SmtpFailure, TIMED_OUT } from './smtp-dialogue.js';
import { type ServerReply, SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
import { enhancedCodeOf } from './smtp-result.js';
import type { SmtpSettings } from './smtp-settings.js';

/** Refusals of AUTH for other reasons than user name and password, e.g. that it needs TLS (RFC 4954). */
const NOT_ABOUT_CREDENTIALS: readonly number[] = [500, 502, 503, 504, 530, 538];

/** Codes beside those of nodemailer. The server does not offer AUTH although it is required. */
export const NO_LOGIN = 'ENOLOGIN';
/** The server offers AUTH, but no method that can be used. The message says which it offers. */
export const NO_METHOD = 'ENOMETHOD';
/** The server offers AUTH, but no TLS. */
export const NO_TLS = 'ENOTLS';
/** The server offers AUTH and TLS, but its certificate is not trusted. */
export const UNVERIFIED = 'EUNVERIFIED';

const LOGINS = {
  password: 'The server refused the user name and password',
  oauth: 'The server refused the access token',
} as const;

const CERTIFICATE = /CERT|CRL|UNABLE_TO|INVALID_CA|SELF_SIGNED|HOSTNAME_MISMATCH/;

/**
 * Returns why a session could not be opened, with a message for the owner of the account. The error of nodemailer is
 * not set as its cause: that contains the reply text unchanged, and causes are logged.
 */
export function openingFailure(
  failure: SmtpFailure,
  settings: SmtpSettings,
  replyText: ReplySanitizer,
): SmtpLoginRefused | SmtpUnavailable {
  const { responseCode = 0 } = failure;
  const isRefusal = failure.code === 'EAUTH' && responseCode >= 500 && !NOT_ABOUT_CREDENTIALS.includes(responseCode);
  if (isRefusal) {
    return new SmtpLoginRefused(`${LOGINS[settings.login.type]}: ${replyText(failure.response ?? '')}`);
  }
  return new SmtpUnavailable(`${settings.host}, port ${settings.port}: ${replyText(describeFailure(failure))}`, {
    reply: replyOf(failure, replyText),
  });
}

function replyOf(
  { responseCode: code, response = '' }: SmtpFailure,
  replyText: ReplySanitizer,
): ServerReply | undefined {
  if (code === undefined) return undefined;
  return { code, enhanced: enhancedCodeOf(response), response: replyText(response), phase: 'connection' };
}

function describeFailure({ code, command, message, response, originalCode }: SmtpFailure): string {
  if (code === NO_LOGIN) return 'the server offers no login';
  if (code === NO_METHOD) return message;
  if (code === NO_TLS) return 'the server offers no TLS, and the password is not sent without it';
  if (code === UNVERIFIED) return 'the certificate cannot be verified, and the password is not sent without that';
  if (code === TIMED_OUT) return 'the server did not reply in time';
  if (CERTIFICATE.test(originalCode ?? '')) return `the certificate cannot be verified (${message})`;
  if (command === 'STARTTLS' && response) return `the server does not offer STARTTLS (${response})`;
  if (code === 'EAUTH') return `the login failed (${response ?? message})`;
  if (response) return `the server replied ${response}`;
  if (code === 'ETLS' || originalCode?.startsWith('ERR_SSL')) {
    return `TLS could not be set up (${originalCode ?? message})`;
  }
  return 'the connection was closed';
}
