import { type Attachment, simpleParser } from 'mailparser';
import { BadRequest } from '../../platform/errors/index.js';
import { MEGABYTE } from '../../platform/http/index.js';
import { HeaderFields } from './header-fields.js';

/** A part of a report, decoded. */
export interface Part {
  /** Its media type in lower case. */
  readonly type: string;
  readonly text: string;
}

/** A message as far as it matters here. */
export interface ReceivedMail {
  readonly header: HeaderFields;
  /** Decoded. */
  readonly subject: string;
  /** Its parts where it is a report (RFC 6522). */
  readonly report?: readonly Part[];
  /** What a report says to people. */
  readonly text?: string;
}

/** What matters of a report comes first. The message that it returns, behind that, may have any size. */
const MAX_REPORT_BYTES = MEGABYTE;
/** No header is longer, but one that somebody has made up to keep us busy. */
const MAX_HEADER_BYTES = MEGABYTE / 4;

const REPORT = /^multipart\/report\b/i;

/** Embedded messages are left as they are: their headers are asked for, and nothing of what they hold. */
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
 * Reads a message in the form of RFC 5322. Only reports are read beyond their header.
 * @throws BadRequest for what cannot be read
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

/** A broken media type is none, whatever the parser's types say. */
const partOf = ({ contentType, content }: Attachment): Part => ({
  type: String(contentType).toLowerCase(),
  text: content.toString('utf8'),
});

/** The header ends at the first blank line, or with the message. */
function endOfHeader(raw: Buffer): number {
  const ends = [raw.indexOf('\n\r\n'), raw.indexOf('\n\n')].filter((end) => end >= 0);
  return Math.min(MAX_HEADER_BYTES, raw.length, ...ends.map((end) => end + 1));
}
