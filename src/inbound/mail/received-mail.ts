import type { MessageReport, ReceivedReply } from '../../sending/index.js';
import { type FieldValues, HeaderFields } from './header-fields.js';

/** A decoded part of a report. */
export interface Part {
  /** The media type in lower case. */
  readonly type: string;
  readonly text: string;
}

/** What a server reports, in contrast to a reply. */
export type ServerReport = Exclude<MessageReport, { kind: 'replied' }>;

/** What a mail says that is not a report. */
export type MailContent = Pick<ReceivedReply, 'text' | 'classification' | 'returns_on'>;

/** The parts of a received mail that are used. */
export interface ReceivedMail {
  readonly header: HeaderFields;
  /** Decoded. */
  readonly subject: string;
  /** The sender; the address is empty if the mail names none. */
  readonly from: { readonly name: string | null; readonly address: string };
  /** The addresses in whose mailboxes it may have been received, in lower case. */
  readonly recipients: readonly string[];
  /** The parts, if it is a report (RFC 6522). */
  readonly report?: readonly Part[];
  /** The human-readable part of a report, and the text of a notice of a mail server that is no report. */
  readonly text?: string;
  /** What it says, if it is no report. */
  readonly content?: MailContent;
  /** Identifies a mail without a Message-ID. */
  readonly hash: string;
}

/** A received mail with the fields of its header that are used, as a worker thread returns it, or why it cannot be parsed. */
export type ParsedMail =
  (Omit<ReceivedMail, 'header'> & { readonly header: FieldValues }) | { readonly unreadable: string };

/** What a worker thread parses. */
export interface RawMail {
  readonly bytes: Uint8Array;
  readonly received_at: Date;
}

/** The machine-readable part of a report comes first. The returned message after it may have any size. */
export const MAX_REPORT_BYTES = 131_072;
/** Texts come before attachments. */
export const MAX_BODY_BYTES = 524_288;
/** Longer headers do not occur in practice and would only cost time. */
export const MAX_HEADER_BYTES = 262_144;
/** How many bytes of a mail are used. */
export const MAX_USED_BYTES = MAX_HEADER_BYTES + MAX_BODY_BYTES;

/** The mail cannot be parsed, e.g. because it has too many parts. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
}

/** @throws UnreadableMail */
export function receivedMail(parsed: ParsedMail): ReceivedMail {
  if ('unreadable' in parsed) throw new UnreadableMail(parsed.unreadable);
  return { ...parsed, header: new HeaderFields(parsed.header) };
}
