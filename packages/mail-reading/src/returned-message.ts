import { addressesIn } from './addresses.js';
import { HeaderFields } from './header-fields.js';
import type { Part } from './received-mail.js';

/** The media types of the returned message or its header (RFC 6522, 3), and the misspelt one of some reports. */
const RETURNED = /^(message\/(rfc822|global)|(text|message)\/(rfc822|global)-headers?)$/;

/** A field with a Message-ID, or a sentence that names one. Servers fold it, and leave the angle brackets out. */
const ID_FIELD =
  /message[- ]?id:?[ \t]{0,20}(?:\r?\n[ \t]{1,20})?(?:<([^<>\s@]{1,500}@[^<>\s@]{1,255})>|([^<>\s@,;"]{1,500}@[^<>\s@,;"]{1,255}))/gi;
const MAX_RETURNED_IDS = 20;

/**
 * Returns the Message-IDs in texts of a report, the first ones first, at most 20. Whoever has sent the message knows its ID,
 * so it does not matter where it is: in a part, in an attachment, or below the text of the notice.
 */
export function returnedIds(texts: readonly string[]): string[] {
  const ids = new Set<string>();
  for (const text of texts)
    for (const [, bracketed, plain] of text.matchAll(ID_FIELD)) {
      if (ids.size >= MAX_RETURNED_IDS) return [...ids];
      ids.add(String(bracketed ?? plain));
    }
  return [...ids];
}

/** Returns the headers of the returned messages. */
export const returnedHeaders = (parts: readonly Part[]): HeaderFields[] =>
  parts.filter(({ type }) => RETURNED.test(type)).map(({ text }) => headerOf(text));

/** Returns the address that the returned message was sent to. */
export const returnedRecipient = (parts: readonly Part[]): string | undefined =>
  returnedHeaders(parts)
    .flatMap((header) => addressesIn(header.get('to')))
    .at(0);

const headerOf = (message: string): HeaderFields =>
  HeaderFields.parse(
    message
      .trimStart()
      .split(/\r?\n\r?\n/, 1)
      .join(),
  );
