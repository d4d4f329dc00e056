import type { MessageReport, ReceivedReply } from '../../sending/index.js';
import { type FieldValues, HeaderFields } from './header-fields.js';
import type { ReportSender } from './mail-server.js';

/** A decoded part of a report that has a media type of its own. */
export interface Part {
  /** The media type in lower case. */
  readonly type: string;
  readonly text: string;
}

/** What a server reports, in contrast to a reply. */
export type ServerReport = Exclude<MessageReport, { kind: 'replied' }>;

/** What a mail says that is not a report. */
export type MailContent = Pick<ReceivedReply, 'text' | 'classification' | 'returns_on'>;

/** What a mail may report: who it may be from, and what it may be about. */
export interface PossibleReport {
  readonly sender: ReportSender;
  /** The parts of the types `message/…` and the attached texts. */
  readonly parts: readonly Part[];
  /** The part for people. */
  readonly text: string;
  /** The Message-IDs of the messages that it returns, in parts or below the text. */
  readonly returned_ids: readonly string[];
}

/** What a report or a reply that was received by mail says about a sent message. */
export interface Notice {
  /** The Message-IDs that it may refer to, the most likely first. */
  readonly message_ids: readonly string[];
  readonly report: ServerReport | Replied;
  /** What it says if these messages are not the workspace's, because a person may cite the notice of a server. */
  readonly otherwise?: Replied;
}

type Replied = { readonly kind: 'replied' } & MailContent;

/** The parts of a received mail that are used. */
export interface ReceivedMail {
  readonly header: HeaderFields;
  /** Decoded. */
  readonly subject: string;
  /** The sender; the address is empty if the mail names none. */
  readonly from: { readonly name: string | null; readonly address: string };
  /** The addresses in whose mailboxes it may have been received, as they are stored. */
  readonly recipients: readonly string[];
  /** What it says about sent messages; undefined if that is nothing. */
  readonly notice?: Notice | undefined;
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

/** Texts and reports come before attachments and returned messages. */
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
