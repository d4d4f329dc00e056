import { type ClassifiedRefusal, classifyRefusal } from '@outreach/refusals';
import type { Refusal, SendResult } from '@outreach/mail-sessions';
import { limitOf, type MailProvider, mayBeLimit, PROVIDERS, type ProviderLimit } from '../../email-accounts/index.js';
import type { WaitReason } from '../rules/index.js';
import type { Bounce } from '../sending.events.js';

/** What becomes of a claimed message after one attempt to send it. `SendResults` writes it. */
export type SendDecision =
  /** The provider has accepted it. */
  | { readonly kind: 'sent' }
  /** A temporary failure: back to the queue, for a retry after this many minutes. */
  | {
      readonly kind: 'later';
      readonly minutes: number;
      /** What the server said. */
      readonly bounce: Bounce;
      /** The server may have deferred every message of the account: several in a row are a limit. */
      readonly may_be_limit?: boolean;
    }
  /** Its provider could not be used: back to the queue, for a retry after this many minutes; undefined after the last one. */
  | { readonly kind: 'untaken'; readonly minutes: number | undefined; readonly reason: string }
  /** The account has reached a limit of its provider: all its messages wait, and the attempt does not count. */
  | { readonly kind: 'limited'; readonly limit: ProviderLimit }
  /** Refused, or given up after the last retry, for a reason other than a dead address. */
  | {
      readonly kind: 'failed';
      readonly bounce: Bounce;
      /** Given up after its last retry, which is a soft bounce. */
      readonly was_retried: boolean;
    }
  /** Refused because the address is dead. */
  | { readonly kind: 'bounced'; readonly bounce: Bounce }
  /** It cannot be composed, now or on a retry. */
  | { readonly kind: 'unsendable'; readonly reason: string }
  /** The provider may have accepted it: the sent mail of the account shows it, or else `on_unknown` decides. */
  | { readonly kind: 'uncertain' }
  /** Stopped by the preflight check, for a reason that ends soon: back to the queue. */
  | { readonly kind: 'stopped' }
  /** Aborted before its content was sent: back to the queue. The next preflight check finds out why. */
  | { readonly kind: 'aborted' }
  /** A rule does not allow it now, which is known if the preflight check has stopped it: back to the queue until that changes. */
  | { readonly kind: 'waiting'; readonly reason?: WaitReason }
  /** It must not be sent, now or later. */
  | { readonly kind: 'cancelled'; readonly reason: CancelReason }
  /** Another worker has claimed it, or it was cancelled: there is nothing to write. */
  | { readonly kind: 'lost' };

export type UntakenSend = Extract<SendDecision, { kind: 'untaken' }>;
export type LaterSend = Extract<SendDecision, { kind: 'later' }>;
export type FailedSend = Extract<SendDecision, { kind: 'failed' }>;

/** Why a message was cancelled, as the API shows it. */
export type CancelReason = 'skipped' | 'unsubscribed' | 'bounced' | 'blacklisted';

/** After how many attempts with an unknown result a message is held, whatever the `on_unknown` of its campaign says. */
export const MAX_UNCERTAIN_ATTEMPTS = 2;

/** The reason of a message with the status `unknown`. */
export const MAY_BE_ACCEPTED = 'The connection was lost before the server replied; it may have accepted the message.';

/** The reason of a message with the status `unknown` that was looked for twice. */
export const NOT_IN_SENT_MAIL =
  'The connection was lost twice before the server replied, and the sent mail does not show the message.';

/** The end of the reason of a `failed` message with an uncertain attempt. */
export const EARLIER_COPY =
  ' (An earlier attempt was interrupted after the message was sent: a copy may have arrived.)';

/** Seconds before a message is sent again of which the server may have accepted the first copy. */
export const UNCERTAIN_RETRY_SECONDS = 60;

/** Minutes before each retry of a temporary failure. */
export const RETRY_MINUTES = [5, 15, 60, 240, 720] as const;

/** Returns the minutes before the next attempt after `attempts` of them, or undefined after the last. */
export const retryMinutes = (attempts: number): number | undefined => RETRY_MINUTES[attempts - 1];

/**
 * Decides what becomes of a message.
 * @param attempts attempts so far, including this one
 * @param provider whose codes the refusals have
 */
export function decideSend(
  result: SendResult,
  attempts: number,
  provider: MailProvider = PROVIDERS.smtp,
): SendDecision {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'sent' };
    case 'aborted':
      return { kind: 'aborted' };
    case 'lost':
      if (result.uncertain) return { kind: 'uncertain' };
      return retried({ type: 'soft', code: null, message: result.reason }, attempts);
    case 'refused':
      return decideRefused(result, attempts, provider);
    default:
      return result satisfies never;
  }
}

/** Decides what becomes of a message whose provider could not be used. @param attempts so far, including this one */
export const decideUntaken = (reason: string, attempts: number): UntakenSend => ({
  kind: 'untaken',
  minutes: retryMinutes(attempts),
  reason,
});

function decideRefused(refusal: Refusal, attempts: number, provider: MailProvider): SendDecision {
  const limit = limitOf(provider, refusal);
  if (limit) return { kind: 'limited', limit };
  const classified = classify(refusal);
  const bounce = bounceOf(classified);
  if (bounce.type === 'hard') return { kind: 'bounced', bounce };
  // A full mailbox is retried although servers call it permanent: it may have space tomorrow.
  if (refusal.permanent && classified.cause !== 'mailbox_full') return { kind: 'failed', bounce, was_retried: false };
  const decision = retried(bounce, attempts);
  return decision.kind === 'later' && mayBeLimit(refusal) ? { ...decision, may_be_limit: true } : decision;
}

/** A provider refuses a request, by a status of HTTP: that is not about the recipient. */
const classify = ({ permanent, phase, code, enhanced, response }: Refusal): ClassifiedRefusal =>
  classifyRefusal({
    text: response,
    ...{ code, enhanced, is_permanent: permanent },
    phase: permanent && code < 500 ? 'connection' : phase,
  });

const SOFT_BOUNCE = /^(4\.\d{1,3}\.\d{1,3}|4\d\d|5\.2\.2|552)$/;

/**
 * Returns whether a report of failure is a soft bounce: the mailbox is full or cannot be reached for now, by its enhanced
 * code, or without one by the reply code; whatever the code is, if the words say that the mailbox is full. Five in a row make
 * a contact `bounced`. A refusal of the content is none.
 */
export const isSoftBounce = ({ type, code, message }: Bounce): boolean =>
  type === 'soft' && (SOFT_BOUNCE.test(code ?? '') || classifyRefusal({ text: message }).cause === 'mailbox_full');

const bounceOf = ({ cause, code, reason }: ClassifiedRefusal): Bounce => ({
  type: cause === 'dead_address' ? 'hard' : 'soft',
  code,
  message: reason,
});

function retried(bounce: Bounce, attempts: number): SendDecision {
  const minutes = retryMinutes(attempts);
  return minutes === undefined ? { kind: 'failed', bounce, was_retried: true } : { kind: 'later', minutes, bounce };
}
