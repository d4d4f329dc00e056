import { classifyRefusal } from '@outreach/refusals';
import { citedReply, excerptOf, isOfGroup, phaseIn, withoutCopy } from './notice-text.js';
import type { ReportedBounce } from './received-mail.js';

/** What a mail server says of a message that it did not deliver. */
export interface DeliveryFailure {
  /** The `Status` of a report (RFC 3464), if it is an enhanced code. */
  readonly status?: string | undefined;
  /** The reply of the server that refused the message, if the report has it apart from its text. */
  readonly diagnostic?: string;
  /** The reason in the subject; may be empty. */
  readonly reason?: string;
  /** The part of the notice for people. */
  readonly text: string;
}

/**
 * Decides whether the address is dead, or only this message was not delivered: by the reply of the server that refused it,
 * or else by the words of the notice.
 */
export function bounceOf({ status, diagnostic = '', reason = '', text }: DeliveryFailure): ReportedBounce {
  const notice = withoutCopy(text);
  const phase = phaseIn(`${diagnostic}\n${notice}`);
  const replies = [diagnostic, citedReply(notice), reason].filter((reply) => reply.trim() !== '');
  const texts = [...replies, excerptOf(notice), notice.trim().slice(0, MAX_NOTICE_EXCERPT)];
  const refusals = texts.map((said) => classifyRefusal({ text: said, status, phase }));
  const [first] = refusals;
  const refusal = refusals.find(({ cause }) => cause !== 'unknown') ?? first;
  return {
    type: refusal?.cause === 'dead_address' && !(replies.length === 0 && isOfGroup(notice)) ? 'hard' : 'soft',
    code: refusal?.code ?? null,
    message: refusal?.reason || `Not delivered: ${status ?? 'no reason given'}`,
  };
}

/** How much of a notice is classified if neither a reply nor what it says of an address is known. */
const MAX_NOTICE_EXCERPT = 2_000;
