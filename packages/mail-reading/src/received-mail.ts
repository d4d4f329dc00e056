import { type FieldValues, HeaderFields } from './header-fields.js';
import type { ReportSender } from './mail-server.js';

/** A decoded part of a report that has a media type of its own. */
export interface Part {
  /** The media type in lower case. */
  readonly type: string;
  readonly text: string;
}

/** Why a message was not delivered, as a mail server reports it. */
export interface ReportedBounce {
  /** `hard`: the address is dead; `soft`: only this message was not delivered. */
  readonly type: 'hard' | 'soft';
  /** The enhanced status code (RFC 3463), or else the reply code (RFC 5321); null if the report has none. */
  readonly code: string | null;
  /** The reason in one line of at most 500 characters. */
  readonly message: string;
}

/** What a server reports, in contrast to a reply. */
export type ServerReport =
  | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' }
  | {
      readonly kind: 'bounced';
      readonly bounce: ReportedBounce;
      /** The address that refused the message, if the report names one. */
      readonly address?: string | undefined;
    };

/** Who has written a mail: a person, the mailbox of a person who is away, or another machine. */
export type MailClassification = 'reply' | 'out_of_office' | 'automatic';

/** What a mail says that is not a report. */
export interface MailContent {
  /** The new part alone, without the mails that it quotes and without its signature: at most 20,000 characters, or none. */
  readonly text: string;
  readonly classification: MailClassification;
  /**
   * The first day on which the writer is here again, as `YYYY-MM-DD`; null if the mail names none. "Back on the 5th" is
   * the 5th, "until the 5th" the 6th.
   */
  readonly returns_on: string | null;
}

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
  /** What it says if these messages are not the reader's, because a person may cite the notice of a server. */
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
  /** The addresses in whose mailboxes it may have been received, at most 100, in lower case and with A-labels. */
  readonly recipients: readonly string[];
  /** What it says about sent messages; undefined if that is nothing. */
  readonly notice?: Notice | undefined;
  /** Identifies a mail without a Message-ID. */
  readonly hash: string;
}

/**
 * A received mail with the fields of its header that are used, or why it cannot be parsed: what the structured clone
 * algorithm copies from a worker thread.
 */
export type ParsedMail =
  (Omit<ReceivedMail, 'header'> & { readonly header: FieldValues }) | { readonly unreadable: string };

/** A mail as it was received. */
export interface RawMail {
  /** RFC 5322. Its first {@link MAX_USED_BYTES} are used. */
  readonly bytes: Uint8Array;
  /** Counts in place of a `Date` that is missing or wrong. */
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

/** Returns what {@link parseMail} has read. @throws UnreadableMail */
export function receivedMail(parsed: ParsedMail): ReceivedMail {
  if ('unreadable' in parsed) throw new UnreadableMail(parsed.unreadable);
  return { ...parsed, header: new HeaderFields(parsed.header) };
}
