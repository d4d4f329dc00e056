import type { SendPhase, SendResult } from './send-result.js';
import type { ReplySanitizer } from '../login/reply-text.js';
import { type SmtpFailure, TIMED_OUT } from './smtp-dialogue.js';

const ENHANCED = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/;

/** Returns the enhanced status code (RFC 3463) of a reply. */
export const enhancedCodeOf = (response: string): string | undefined => ENHANCED.exec(response)?.[1];

/** All lines of a refusal are read for what it is about; what is stored of it is shorter. */
const MAX_REFUSAL_LENGTH = 4_000;

/**
 * Returns what an error of nodemailer means for the message.
 * @param finalDotSent whether the final dot may have been sent: without a reply the result is uncertain then
 */
export function sendResultOf(failure: SmtpFailure, finalDotSent: boolean, replyText: ReplySanitizer): SendResult {
  const { response = '', responseCode: code } = failure;
  // Only a refusal is a result. After any other unexpected reply it is unknown whether the message was accepted.
  if (code === undefined || code < 400 || code > 599) {
    return { kind: 'lost', uncertain: finalDotSent, reason: reasonOf(failure, replyText) };
  }
  const enhanced = enhancedCodeOf(response);
  return {
    kind: 'refused',
    permanent: code >= 500,
    phase: phaseOf(failure),
    code,
    ...(enhanced ? { enhanced } : {}),
    response: replyText(response, MAX_REFUSAL_LENGTH),
  };
}

/** nodemailer names the command of the reply, and marks the second reply to DATA by the code of the error. */
const PHASES: Readonly<Record<string, SendPhase>> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' };

const phaseOf = ({ command = '', code }: SmtpFailure): SendPhase =>
  code === 'EMESSAGE' ? 'message' : (PHASES[command] ?? 'connection');

function reasonOf({ code, message }: SmtpFailure, replyText: ReplySanitizer): string {
  return code === TIMED_OUT ? 'The server did not reply in time' : replyText(`The connection was lost: ${message}`);
}
