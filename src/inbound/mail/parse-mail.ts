import { type Attachment, simpleParser } from 'mailparser';
import { HeaderFields } from './header-fields.js';
import { AUTOMATIC_FIELDS } from './automatic-fields.js';
import { MAX_HEADER_BYTES, MAX_REPORT_BYTES, type Part, type ParsedMail } from './received-mail.js';

/** The limit of each header field that is given to the parser. */
const MAX_FIELD_LENGTH = 1000;

/** The fields that are used of a mail. */
const FIELDS_WITH_IDS = ['message-id', 'in-reply-to', 'references'];
const USED_FIELDS = ['auto-submitted', 'precedence', 'return-path', ...AUTOMATIC_FIELDS];

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
  // Limits the time of the parser, together with the limits above.
  maxChildNodes: 100,
  maxHeadSize: 8_192,
};

/** Parses a mail (RFC 5322). The bodies of reports are parsed; of other mails only the header is. */
export async function parseMail(bytes: Uint8Array): Promise<ParsedMail> {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfHeader(raw);
  const fields = HeaderFields.parse(raw.toString('utf8', 0, end));
  const header = fields.pick(FIELDS_WITH_IDS, USED_FIELDS);
  const isReport = REPORT.test(fields.get('content-type'));
  const body = isReport ? raw.subarray(end, end + MAX_REPORT_BYTES) : Buffer.alloc(0);
  try {
    const mail = await simpleParser(Buffer.concat([parsedFields(fields), body]), PARSER_OPTIONS);
    const subject = mail.subject ?? '';
    if (!isReport) return { header, subject };
    return { header, subject, report: mail.attachments.map(partOf), text: mail.text ?? '' };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : 'The mail could not be parsed.' };
  }
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
