import type { SendResult } from '../../email-accounts/index.js';
import type { Bounce } from '../sending.events.js';

/** What follows from an outcome. */
export type SendDecision =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly minutes: number }
  | { readonly kind: 'failed'; readonly bounce: Bounce }
  | { readonly kind: 'bounced'; readonly bounce: Bounce }
  | { readonly kind: 'uncertain' }
  | { readonly kind: 'stopped' };

/** Minutes before each retry of a temporary failure. */
export const RETRY_MINUTES = [5, 15, 60, 240, 720] as const;

/** Minutes before the next try after `attempts` of them, or undefined when it is given up. */
export const retryMinutes = (attempts: number): number | undefined => RETRY_MINUTES[attempts - 1];

/**
 * What becomes of a message.
 * @param attempts hand-overs begun, this one included
 */
export function decideSend(result: SendResult, attempts: number): SendDecision {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'sent' };
    case 'aborted':
      return { kind: 'stopped' };
    case 'lost':
      if (result.uncertain) return { kind: 'uncertain' };
      return retried({ type: 'soft', code: null, message: result.reason }, attempts);
    case 'refused':
      if (isDeadAddress(result)) return { kind: 'bounced', bounce: bounceOf(result, 'hard') };
      if (result.permanent && !isFull(result)) return { kind: 'failed', bounce: bounceOf(result, 'soft') };
      return retried(bounceOf(result, 'soft'), attempts);
    default:
      return result satisfies never;
  }
}

type Refusal = Extract<SendResult, { kind: 'refused' }>;
type Reason = Pick<Refusal, 'permanent' | 'stage' | 'code'> & { readonly enhanced?: string | undefined };

const DEAD_ADDRESS = /^5\.(1\.\d{1,3}|2\.1|4\.4)$/;
const DEAD_CODES = [550, 551, 553];

/** A hard bounce: the refusal says that the address is dead (RFC 3463; RFC 5321, 4.2.3, without an enhanced code). */
export function isDeadAddress({ permanent, stage, code, enhanced }: Reason): boolean {
  if (!permanent) return false;
  if (enhanced) return DEAD_ADDRESS.test(enhanced);
  return stage === 'rcpt' && DEAD_CODES.includes(code);
}

/** A full mailbox may have room tomorrow, whatever the server calls it. */
const isFull = ({ enhanced, code }: Refusal): boolean => enhanced?.endsWith('.2.2') ?? code === 552;

const bounceOf = ({ enhanced, code, response }: Refusal, type: Bounce['type']): Bounce => ({
  type,
  code: enhanced ?? String(code),
  message: response,
});

function retried(bounce: Bounce, attempts: number): SendDecision {
  const minutes = retryMinutes(attempts);
  return minutes === undefined ? { kind: 'failed', bounce } : { kind: 'later', minutes };
}
