import { decodedWords } from './encoded-words.js';
import type { HeaderFields } from './header-fields.js';
import { isFromList } from './reply.js';

/**
 * Who may have sent a report, by the header of a mail: a mail server; a postmaster, who may be a person; unknown, if only
 * the envelope, the subject or `Auto-Submitted` is that of a report; or unmarked, if nothing is.
 */
export type ReportSender = 'mail_server' | 'postmaster' | 'unknown' | 'unmarked';

/** The fields that say who may have sent a report. */
export const SENDER_FIELDS: readonly string[] = [
  ...['from', 'subject', 'content-type', 'return-path', 'auto-submitted', 'x-failed-recipients'],
  ...['in-reply-to', 'references', 'list-id', 'list-post', 'precedence', 'user-agent', 'x-mailer'],
];

/** `multipart/report` (RFC 6522). */
const REPORT = /^multipart\/report\b/i;

/** The senders of notices of mail servers, by name or address. Some name no address: `MAILER-DAEMON <>`. */
const MAIL_SERVER =
  /\bmail(er)?[-_. ]?daemon\b|\bmail[ ._-]deliver(y|er)?[ ._-](sub)?(system|service|agent|program|server)\b|<\s*>|^\s*$/i;
/** People may have these names, too. */
const POSTMASTER = /\bpost[-_.]?master\b|\b(system|mail) administrator\b|\bmail (system|delivery)\b/i;

/** The null reverse-path of notices (RFC 5321, 4.5.5), as final servers store it. Automatic replies have it, too. */
const NULL_PATH = /^<?\s*>?$/;

/** The beginnings of subjects of notices. Those of replies to them, and of forwarded ones, begin otherwise. */
const SUBJECT =
  /^\W{0,20}(un-?deliver|non-? ?(remis|deliver|delivr|recapit)|not delivered|nicht zustellbar|unzustellbar|mancata consegna|niet bezorgd|onbestelbaar|devolvid|no se (ha )?(pudo|podido)|échec de (la )?(remise|livraison|distribution)|не доставлен|メールエラー|(送信|配信|配達)(エラー|不能|失敗|できません)|退信|投递失败|delivery (of|to|status|fail|notification|notice|report|problem|error|incomplete|unsuccessful|has failed|system|permanent)|mail(er)?[ -]?(delivery|daemon|system|error|failed|could not)|(failed|failure|bounced?|returned|rejected|undelivered)[ -:]{1,3}(of |e-?)?(mail|message|delivery|notice|to sender|note)|failure notice|message (not|was not|could not|cannot|can't|undeliver|status|delivery|fail|rejected|you sent)|your (e-?mail|message) (was|has|could|can|not|to)\b|e-?mail (delivery|not|could not|undeliver)|warning: (message|could not)|could not (deliver|send)|returning message to sender)/i;

/** The beginnings of subjects of complaints that are no reports of RFC 5965. */
const COMPLAINT_SUBJECT = /^\s*(complaint about message|\[spamcop\b|(e-?mail )?(abuse|spam) (report|complaint))/i;

/**
 * Decides by the header alone who may have sent a mail as a report: only then its body is read as one. What is fetched
 * from mailboxes is decided by the same fields.
 * @returns undefined if it is no report
 */
export function reportSenderOf(header: HeaderFields): ReportSender | undefined {
  const from = decodedField(header, 'from');
  if (isMultipartReport(header) || header.has('x-failed-recipients')) return 'mail_server';
  if (header.has('from') && MAIL_SERVER.test(from)) return 'mail_server';
  if (POSTMASTER.test(from)) return 'postmaster';
  const subject = decodedField(header, 'subject');
  const isPossible =
    hasNullPath(header) || isAutoSubmitted(header) || SUBJECT.test(subject) || isComplaintSubject(subject);
  return isPossible ? 'unknown' : undefined;
}

/** What mail servers write without a sign. Programs of people write HTML beside the text, and say their names. */
const NOTICE = /^\s*(text\/plain|multipart\/mixed)\b|^\s*$/i;
const PROGRAMS = ['user-agent', 'x-mailer'];

/**
 * Returns whether a mail may report something although its header does not say so: it is no reply, forwarded mail, mail to
 * a list or one of a person's mail program. Only if its body has the Message-ID of a message, it is read as a report.
 */
export const isUnmarked = (header: HeaderFields): boolean =>
  NOTICE.test(header.get('content-type')) &&
  !PROGRAMS.some((field) => header.has(field)) &&
  !header.has('in-reply-to') &&
  !header.has('references') &&
  !isFromList(header) &&
  !ANSWER.test(decodedField(header, 'subject'));

/** The beginnings of subjects of replies and forwarded mails. */
const ANSWER =
  /^\s*(re|aw|sv|vs|antw|odp|ynt|ref|rv|res|rif|r|tr|fwd?|wg|i|enc|doorst|vb|pd|回复|答复|回覆|转发|返信)(\[\d{1,3}\])?\s?[:：]/i;

/** Checks for the media type of reports. */
export const isMultipartReport = (header: HeaderFields): boolean => REPORT.test(header.get('content-type'));

/** Checks for the subject of a complaint of a provider that has a form of its own. */
export const isComplaintSubject = (subject: string): boolean => COMPLAINT_SUBJECT.test(subject);

const MAX_FIELD_LENGTH = 1_000;

/** Returns the beginning of a field, decoded. */
export const decodedField = (header: HeaderFields, name: string): string =>
  decodedWords(header.get(name).slice(0, MAX_FIELD_LENGTH));

/** Servers mark notices like automatic replies (RFC 3834, 5.1). */
const isAutoSubmitted = (header: HeaderFields): boolean =>
  header.has('auto-submitted') && !/^no\b/i.test(header.get('auto-submitted')) && !isFromList(header);

const hasNullPath = (header: HeaderFields): boolean =>
  header.has('return-path') && NULL_PATH.test(header.get('return-path').slice(0, MAX_FIELD_LENGTH));
