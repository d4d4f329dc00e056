import type { SendPhase, ServerReply } from '@outreach/mail-sessions';

/** A limit of the provider that an account has reached: of messages per minute or connections, or of messages per day. */
export type ProviderLimit = 'rate' | 'day';

/** A reply that says that an account has reached a limit. */
export interface LimitRule {
  /** What was refused; anything by default. */
  readonly phase?: SendPhase;
  /** Compared with the code and the enhanced code, e.g. `421 4.7.0`. */
  readonly codes: RegExp;
  /** Some codes have several meanings, of which the text tells one. */
  readonly text?: RegExp;
  readonly limit: ProviderLimit;
}

/**
 * The server takes nothing more now. A recipient that is refused with 4.7.x may be greylisted by any other server than those
 * of Google and Microsoft: {@link mayBeLimit}.
 */
export const IS_BUSY: LimitRule = { codes: /^(421|454)|^4\d\d 4\.7\.\d+$/, limit: 'rate' };

/** "Daily user sending limit exceeded", "Daily sending quota exceeded". RFC 3463: congestion, never the recipient. */
const IS_DAY_OVER: LimitRule = { codes: / [45]\.4\.5$/, limit: 'day' };

/**
 * What any server replies when an account has reached a limit, besides the `limits` of its provider. A reply that fits none is
 * about the message.
 *
 * - [P] smtpd_client_connection_rate_limit and its like, https://www.postfix.org/TUNING_README.html#conn_limit
 */
const OF_ALL: readonly LimitRule[] = [
  // [P] 450 4.7.1 "too much mail from". The recipient is named after MAIL (RFC 5321, 3.3), and 4.3.2 is a server that stops.
  { phase: 'mail', codes: /^4\d\d (?!4\.3\.2$)/, limit: 'rate' },
  // [P] 421 4.7.0 "too many connections from", 450 4.7.1 "too many AUTH commands from". 454: the login does not work now.
  { phase: 'connection', codes: /^4(?!54)\d\d 4\.7\.\d+$/, limit: 'rate' },
];

/** Returns the limit that a refusal is about, or undefined if it is not about a limit of the account. */
export function limitOf(
  { limits }: { readonly limits: readonly LimitRule[] },
  { code, enhanced = '', response, phase }: ServerReply,
): ProviderLimit | undefined {
  const codes = `${code} ${enhanced}`;
  return [IS_DAY_OVER, ...limits, ...OF_ALL].find(
    (rule) =>
      (rule.phase === undefined || rule.phase === phase) &&
      rule.codes.test(codes) &&
      (rule.text?.test(response) ?? true),
  )?.limit;
}

/** A recipient that a server defers: 4.7.x, or a plain code for what may be any reason (RFC 5321, 4.2.3). */
const DEFERRED = /^4\d\d 4\.7\.\d+$|^45[012] (?:4\.[03456]\.\d+)?$/;
/** Greylisting (RFC 6647) is about one recipient. */
const GREYLISTED = /gr[ae]y-?\s?list/i;

/**
 * Returns whether a refusal of a recipient says nothing about this one (4.1.x and 4.2.x would): several in a row are a limit
 * of the account, e.g. 450 4.7.1 "too many recipients from" of Postfix, or a server that can take nothing now.
 */
export const mayBeLimit = ({ code, enhanced = '', response }: ServerReply): boolean =>
  DEFERRED.test(`${code} ${enhanced}`) && !GREYLISTED.test(response);
