import type { HeaderFields } from './header-fields.js';

/** Returns the Message-IDs of the mails that a reply refers to, the latest first. */
export const repliedTo = (header: HeaderFields): string[] => [
  ...header.messageIds('in-reply-to'),
  ...header.messageIds('references').reverse(),
];

/** Checks for the fields of mailing lists (RFC 2369, RFC 2919). */
export const isFromList = (header: HeaderFields): boolean =>
  header.has('list-id') || header.has('list-post') || /^list/i.test(header.get('precedence'));
