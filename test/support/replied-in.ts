import type { MailContent, ParsedMail } from '../../src/inbound/mail/received-mail.js';

/** Returns what a parsed mail says as a reply, also if it may be the notice of a server; undefined if it is none. */
export function repliedIn(mail: ParsedMail): MailContent | undefined {
  const { report, otherwise } = ('notice' in mail && mail.notice) || {};
  return report?.kind === 'replied' ? report : otherwise;
}
