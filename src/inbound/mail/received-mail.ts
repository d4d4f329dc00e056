import { type Attachment, simpleParser } from 'mailparser';
import { BadRequest } from '../../platform/errors/index.js';
import { MEGABYTE } from '../../platform/http/index.js';
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
const MAX_REPORT_BYTES = MEGABYTE;
/** Longer headers do not occur in practice and would only cost time. */
const MAX_HEADER_BYTES = MEGABYTE / 4;

const REPORT = /^multipart\/report\b/i;

/** Keeps embedded messages unparsed: only their headers are used. */
const AS_PARTS = {
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
};

/**
 * Parses a mail (RFC 5322). The bodies of reports are parsed; of other mails only the header is.
 * @throws BadRequest if the mail cannot be parsed
 */
export async function readMail(raw: Buffer): Promise<ReceivedMail> {
  const head = raw.subarray(0, endOfHeader(raw));
  const header = new HeaderFields(head.toString('utf8'));
  const isReport = REPORT.test(header.get('content-type'));
  const mail = await simpleParser(isReport ? raw.subarray(0, MAX_REPORT_BYTES) : head, AS_PARTS).catch(() => {
    throw new BadRequest(400, 'The message could not be read.');
  });
  const subject = mail.subject ?? '';
  if (!isReport) return { header, subject };
  return { header, subject, report: mail.attachments.map(partOf), text: mail.text ?? '' };
}

/** `contentType` is undefined for an invalid media type, although its type says `string`. */
const partOf = ({ contentType, content }: Attachment): Part => ({
  type: String(contentType).toLowerCase(),
  text: content.toString('utf8'),
});

/** Returns the index of the first blank line, or the end of the mail. */
function endOfHeader(raw: Buffer): number {
  const ends = [raw.indexOf('\n\r\n'), raw.indexOf('\n\n')].filter((end) => end >= 0);
  return Math.min(MAX_HEADER_BYTES, raw.length, ...ends.map((end) => end + 1));
}
