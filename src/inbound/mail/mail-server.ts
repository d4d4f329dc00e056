import type { HeaderFields } from './header-fields.js';

/** How much of the text of a notice is read. */
export const MAX_NOTICE_LENGTH = 65_536;

/** The senders of notices of mail servers. */
const MAIL_SERVER = /^(mailer-daemon|postmaster|mail-daemon|maildaemon)@/i;

/**
 * Returns whether a mail may be the notice of a mail server: its text is read, and it is no automatic reply of the
 * recipient.
 */
export const isOfMailServer = (header: HeaderFields, address: string): boolean =>
  MAIL_SERVER.test(address) || header.has('x-failed-recipients');
