import type { ReplySanitizer } from './reply-text.js';
import { type SmtpFailure, TIMED_OUT } from './smtp-dialogue.js';
import { SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
import type { SmtpSettings } from './smtp-settings.js';

/** Refusals of AUTH that say nothing about user name and password: not now, not so, or not without TLS (RFC 4954). */
const NOT_ABOUT_CREDENTIALS: readonly number[] = [500, 502, 503, 504, 530, 538];

/** Our own code: the server offers no AUTH where it must. */
export const NO_LOGIN = 'ENOLOGIN';

const CERTIFICATE = /CERT|CRL|UNABLE_TO|INVALID_CA|SELF_SIGNED|HOSTNAME_MISMATCH/;

/**
 * In words for the owner of the account what kept a session from being opened. nodemailer's own error is no cause of
 * it: what the server said stands there as it came, and logs show causes.
 */
export function openingFailure(
  failure: SmtpFailure,
  settings: SmtpSettings,
  replyText: ReplySanitizer,
): SmtpLoginRefused | SmtpUnavailable {
  const { responseCode = 0 } = failure;
  const isRefusal = failure.code === 'EAUTH' && responseCode >= 500 && !NOT_ABOUT_CREDENTIALS.includes(responseCode);
  if (isRefusal) {
    return new SmtpLoginRefused(`The server refused the user name and password: ${replyText(failure.response ?? '')}`);
  }
  return new SmtpUnavailable(`${settings.host}, port ${settings.port}: ${replyText(whatFailed(failure))}`);
}

function whatFailed({ code, command, message, response, originalCode }: SmtpFailure): string {
  if (code === NO_LOGIN) return 'the server offers no login';
  if (code === TIMED_OUT) return 'the server did not answer in time';
  if (CERTIFICATE.test(originalCode ?? '')) return `the certificate cannot be verified (${message})`;
  if (command === 'STARTTLS' && response) return `the server does not offer STARTTLS (${response})`;
  if (code === 'EAUTH') return `the login failed (${response ?? message})`;
  if (response) return `the server answered ${response}`;
  if (code === 'ETLS' || originalCode?.startsWith('ERR_SSL')) {
    return `TLS could not be set up (${originalCode ?? message})`;
  }
  return 'the connection was closed';
}
