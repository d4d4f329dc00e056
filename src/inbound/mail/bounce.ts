import { type Bounce, isDeadAddress } from '../../sending/index.js';
import { enhancedCodeIn, replyCodeOf, reportedText } from '../reported-text.js';

/** What a mail server says of a message that it did not deliver. */
export interface DeliveryFailure {
  /** The enhanced status code (RFC 3463). */
  readonly status: string | undefined;
  /** The reply of the server that refused the message; may be empty. */
  readonly diagnostic: string;
  /** The part of the notice for people. */
  readonly text: string;
}

/** The human-readable part says that the content was refused, and not the address (Postfix, Exim, qmail). */
const CONTENT_REFUSED = /end of DATA|after DATA|to DATA command|after I sent the message/i;

/** Decides whether the address is dead, or only this message was not delivered. */
export function bounceOf(failure: DeliveryFailure): Bounce {
  const { status, text } = failure;
  const diagnostic = reportedText(failure.diagnostic);
  const reply = replyCodeOf(diagnostic);
  // The status x.0.0 contains no reason, but the reply text may.
  const enhanced = (isVague(status) ? undefined : status) ?? enhancedCodeIn(diagnostic);
  const hard = isDeadAddress({
    permanent: (enhanced ?? reply ?? status ?? '').startsWith('5'),
    phase: CONTENT_REFUSED.test(text) ? 'message' : 'rcpt',
    code: Number(reply ?? 0),
    enhanced,
  });
  return {
    type: hard ? 'hard' : 'soft',
    code: enhanced ?? reply ?? status ?? null,
    message: diagnostic || `Not delivered: ${status ?? 'no reason given'}`,
  };
}

const isVague = (status: string | undefined): boolean => status?.endsWith('.0.0') ?? true;
