import type { EmailAccountType } from '../email-account.entity.js';
import type { SendPhase } from '../send-result.js';
import type { ServerReply } from './smtp-errors.js';

/** Whose limits and codes the replies of a mail server follow. */
export type MailProvider = 'google' | 'microsoft' | 'other';

/** A limit of the provider that an account has reached: of messages per minute or connections, or of messages per day. */
export type ProviderLimit = 'rate' | 'day';

const HOSTS: readonly (readonly [MailProvider, RegExp])[] = [
  ['google', /(^|\.)(smtp|smtp-relay)\.(gmail|googlemail)\.com\.?$/i],
  ['microsoft', /(^|\.)(smtp\.office365|smtp-mail\.outlook)\.com\.?$/i],
];

/** Returns the provider of an account: its type says it, or the host name of its mail server. */
export function providerOf({
  type,
  smtp_host: host,
}: {
  type: EmailAccountType;
  smtp_host: string | null;
}): MailProvider {
  if (type === 'google' || type === 'microsoft') return type;
  return HOSTS.find(([, name]) => name.test(host ?? ''))?.[0] ?? 'other';
}

interface Rule {
  readonly providers: readonly MailProvider[];
  /** What was refused; anything by default. */
  readonly phase?: SendPhase;
  /** Compared with the code and the enhanced code, e.g. `421 4.7.0`. */
  readonly codes: RegExp;
  /** Some codes have several meanings, of which the text tells one. */
  readonly text?: RegExp;
  readonly limit: ProviderLimit;
}

const BOTH: readonly MailProvider[] = ['google', 'microsoft'];
const ALL: readonly MailProvider[] = [...BOTH, 'other'];

/**
 * What servers reply when an account has reached a limit. The first rule that fits holds; a reply that fits none is
 * about the message. A recipient that is refused with 4.7.x may be greylisted by any other server than those of Google and
 * Microsoft: {@link mayBeLimit}.
 *
 * - [G] Gmail SMTP errors and codes, https://support.google.com/a/answer/3726730
 * - [L] Gmail sending limits, https://support.google.com/a/answer/166852
 * - [S] Throttling of SMTP submission, https://learn.microsoft.com/exchange/troubleshoot/send-emails/smtp-submission-improvements
 * - [N] Non-delivery reports in Exchange Online, https://learn.microsoft.com/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online
 * - [P] smtpd_client_connection_rate_limit and its like, https://www.postfix.org/TUNING_README.html#conn_limit
 * - [T] Continuous errors, https://learn.microsoft.com/exchange/mail-flow-best-practices/continuous-error-throttling-smtp-auth-submissions
 */
const RULES: readonly Rule[] = [
  // [G] "Daily user sending limit exceeded", "Daily sending quota exceeded". RFC 3463: congestion, never the recipient.
  { providers: ALL, codes: / [45]\.4\.5$/, limit: 'day' },
  // [G] 550 5.7.1 "Email quota exceeded", "Daily SMTP relay limit exceeded for customer".
  { providers: ['google'], codes: / 5\.7\.1$/, text: /quota exceeded|limit exceeded/i, limit: 'day' },
  // [G] 450 4.2.1 "Peak SMTP relay limit exceeded"; with another text it is the recipient who gets too much mail.
  { providers: ['google'], codes: / 4\.2\.1$/, text: /limit exceeded/i, limit: 'rate' },
  // [S] 554 5.2.0 "STOREDRV.Submission.Exception:SubmissionQuotaExceededException", 10,000 recipients a day.
  {
    providers: ['microsoft'],
    codes: / 5\.2\.[02]$/,
    text: /submission ?quota|sender.s submission quota/i,
    limit: 'day',
  },
  // [N] 550 5.1.90 "you've reached your daily limit for message recipients"; 5.7.232, 5.7.233: those of the tenant.
  { providers: ['microsoft'], codes: / 5\.(1\.90|7\.23[23])$/, limit: 'day' },
  // [T] 550 5.2.251 to 5.2.255 "Sender throttled due to continuous … errors".
  { providers: ['microsoft'], codes: / 5\.2\.25[1-5]$/, limit: 'day' },
  // [S] 432 4.3.2 "Concurrent connections limit exceeded", "sender thread limit exceeded".
  { providers: ['microsoft'], codes: /^(432|4\d\d 4\.3\.2$)/, limit: 'rate' },
  // [G] 421 4.3.0, 4.4.5, 4.7.0, 4.7.28; 454 4.7.0 "Too many login attempts". [N] 4.7.500 to 4.7.699 "Server busy".
  { providers: BOTH, codes: /^(421|454)|^4\d\d 4\.7\.\d+$/, limit: 'rate' },
  // Too Many Requests (RFC 6585): SendGrid. No server of SMTP has this code.
  { providers: ['other'], codes: /^429 /, limit: 'rate' },
  // [P] 450 4.7.1 "too much mail from". The recipient is named after MAIL (RFC 5321, 3.3), and 4.3.2 is a server that stops.
  { providers: ALL, phase: 'mail', codes: /^4\d\d (?!4\.3\.2$)/, limit: 'rate' },
  // [P] 421 4.7.0 "too many connections from", 450 4.7.1 "too many AUTH commands from". 454: the login does not work now.
  { providers: ALL, phase: 'connection', codes: /^4(?!54)\d\d 4\.7\.\d+$/, limit: 'rate' },
];

/** Returns the limit that a refusal is about, or undefined if it is not about a limit of the account. */
export function limitOf(
  provider: MailProvider,
  { code, enhanced = '', response, phase }: ServerReply,
): ProviderLimit | undefined {
  const codes = `${code} ${enhanced}`;
  return RULES.find(
    (rule) =>
      rule.providers.includes(provider) &&
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
