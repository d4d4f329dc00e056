import { type FieldValues, HeaderFields } from './header-fields.js';

/** A decoded part of a report. */
export interface Part {
  /** The media type in lower case. */
  readonly type: string;
  readonly text: string;
}

/** The parts of a received mail that are used. */
export interface ReceivedMail {
  readonly header: HeaderFields;
  /** Decoded. */
  readonly subject: string;
  /** The parts, if it is a report (RFC 6522). */
  readonly report?: readonly Part[];
  /** The human-readable part of a report. */
  readonly text?: string;
}

/** A received mail with the fields of its header that are used, as a worker thread returns it, or why it cannot be parsed. */
export type ParsedMail =
  (Omit<ReceivedMail, 'header'> & { readonly header: FieldValues }) | { readonly unreadable: string };

/** The machine-readable part of a report comes first. The returned message after it may have any size. */
export const MAX_REPORT_BYTES = 131_072;
/** Longer headers do not occur in practice and would only cost time. */
export const MAX_HEADER_BYTES = 262_144;
/** How many bytes of a mail are used. */
export const MAX_USED_BYTES = MAX_HEADER_BYTES + MAX_REPORT_BYTES;

/** The mail is a report that cannot be parsed, e.g. because it has too many parts. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
}

/** @throws UnreadableMail */
export function receivedMail(parsed: ParsedMail): ReceivedMail {
  if ('unreadable' in parsed) throw new UnreadableMail(parsed.unreadable);
  return { ...parsed, header: new HeaderFields(parsed.header) };
}
