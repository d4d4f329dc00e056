import { type Attachment, simpleParser } from 'mailparser';
import { HeaderFields } from './header-fields.js';

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

/** The machine-readable part of a report comes first. The returned message after it may have any size. */
const MAX_REPORT_BYTES = 131_072;
/** Longer headers do not occur in practice and would only cost time. */
const MAX_HEADER_BYTES = 262_144;
/** The limit of each header field that is given to the parser. */
const MAX_FIELD_LENGTH = 1000;

const REPORT = /^multipart\/report\b/i;

const PARSER_OPTIONS = {
  // Keeps embedded messages unparsed: only their headers are used.
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
  // Limits the time of the parser, together with the limits above: no input may occupy the process for long.
  maxChildNodes: 100,
  maxHeadSize: 8_192,
};

/** The mail is a report that cannot be parsed, e.g. because it has too many parts. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
}

/**
 * Parses a mail (RFC 5322). The bodies of reports are parsed; of other mails only the header is.
 * @throws UnreadableMail
 */
export async function readMail(raw: Buffer): Promise<ReceivedMail> {
  const end = endOfHeader(raw);
  const header = new HeaderFields(raw.toString('utf8', 0, end));
  const isReport = REPORT.test(header.get('content-type'));
  const body = isReport ? raw.subarray(end, end + MAX_REPORT_BYTES) : Buffer.alloc(0);
  const mail = await simpleParser(Buffer.concat([parsedFields(header), body]), PARSER_OPTIONS).catch(
    (cause: unknown) => {
      throw new UnreadableMail('The mail could not be parsed.', { cause });
    },
  );
  const subject = mail.subject ?? '';
  if (!isReport) return { header, subject };
  return { header, subject, report: mail.attachments.map(partOf), text: mail.text ?? '' };
}

/** Returns a header with the fields that the parser needs. Others, such as lists of addresses, could cost it much time. */
const parsedFields = (header: HeaderFields): Buffer =>
  Buffer.from(
    ['Subject', 'Content-Type', 'Content-Transfer-Encoding']
      .map((name) => `${name}: ${header.get(name.toLowerCase()).slice(0, MAX_FIELD_LENGTH)}\r\n`)
      .join(''),
  );

/** `contentType` is undefined for an invalid media type, although its type says `string`. */
const partOf = ({ contentType, content }: Attachment): Part => ({
  type: String(contentType).toLowerCase(),
  text: content.toString('utf8'),
});

/** Returns the index of the first blank line, or the end of the mail. */
function endOfHeader(raw: Buffer): number {
  const head = raw.subarray(0, MAX_HEADER_BYTES);
  const ends = [head.indexOf('\n\r\n'), head.indexOf('\n\n')].filter((end) => end >= 0);
  return Math.min(head.length, ...ends.map((end) => end + 1));
}
