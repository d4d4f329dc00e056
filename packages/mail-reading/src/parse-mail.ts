import { createHash } from 'node:crypto';
import type { ParsedMail as SimpleMail } from 'mailparser';
import { recipientsOf } from './addresses.js';
import { HeaderFields } from './header-fields.js';
import { contentOf } from './mail-content.js';
import { isUnmarked, reportSenderOf } from './mail-server.js';
import { isOfMachine, possibleReport } from './possible-report.js';
import { noticeOf } from './notice.js';
import { parseMime } from './parse-mime.js';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES, type ParsedMail, type RawMail, type ReceivedMail } from './received-mail.js';
import { reportedText } from './reported-text.js';

/** The limit of each header field that is given to the parser. */
const MAX_FIELD_LENGTH = 1000;

/** The fields that are used of a mail. */
const FIELDS_WITH_IDS = ['message-id', 'in-reply-to', 'references'];
const USED_FIELDS = ['precedence', 'x-failed-recipients', 'list-id', 'list-post', 'list-unsubscribe'];

/** Parses a mail (RFC 5322) and reads what it says. Only this is returned: a report has many and long parts. */
export async function parseMail({ bytes, received_at: receivedAt }: RawMail): Promise<ParsedMail> {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfHeader(raw);
  const fields = HeaderFields.parse(raw.toString('utf8', 0, end));
  const sender = reportSenderOf(fields) ?? (isUnmarked(fields) ? 'unmarked' : undefined);
  const body = raw.subarray(end, end + MAX_BODY_BYTES);
  try {
    const mail = await parseMime(Buffer.concat([parsedFields(fields), body]));
    const envelope = envelopeOf(fields, mail, raw);
    const source = { header: new HeaderFields(envelope.header), subject: envelope.subject };
    const report = sender && possibleReport(sender, mail, body);
    if (report && isOfMachine(report)) return { ...envelope, notice: noticeOf({ ...source, report }) };
    const content = contentOf(fields, mail, receivedAt);
    const isAboutNothing = !report || (sender === 'unmarked' && report.returned_ids.length === 0);
    return { ...envelope, notice: noticeOf({ ...source, ...(isAboutNothing ? {} : { report }), content }) };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : 'The mail could not be parsed.' };
  }
}

type Envelope = Omit<ReceivedMail, 'header' | 'notice'> & {
  readonly header: ReturnType<HeaderFields['pick']>;
};

const MAX_SUBJECT_LENGTH = 500;
const MAX_NAME_LENGTH = 255;
const MAX_ADDRESS_LENGTH = 254;

function envelopeOf(fields: HeaderFields, mail: SimpleMail, raw: Buffer): Envelope {
  const [sender] = mail.from?.value ?? [];
  const address = reportedText(sender?.address ?? '', MAX_ADDRESS_LENGTH + 1);
  return {
    header: fields.pick(FIELDS_WITH_IDS, USED_FIELDS),
    subject: reportedText(mail.subject ?? '', MAX_SUBJECT_LENGTH),
    from: {
      name: reportedText(sender?.name ?? '', MAX_NAME_LENGTH) || null,
      address: address.includes('@') && address.length <= MAX_ADDRESS_LENGTH ? address : '',
    },
    recipients: recipientsOf(fields),
    hash: createHash('sha256').update(raw).digest('base64url'),
  };
}

/** Returns a header with the fields that the parser needs. Others, such as lists of addresses, could cost it much time. */
const parsedFields = (header: HeaderFields): Buffer =>
  Buffer.from(
    ['From', 'Subject', 'Content-Type', 'Content-Transfer-Encoding']
      .map((name) => `${name}: ${header.get(name.toLowerCase()).slice(0, MAX_FIELD_LENGTH)}\r\n`)
      .join(''),
  );

/** Returns the index of the first blank line, or the end of the mail. */
function endOfHeader(raw: Buffer): number {
  const head = raw.subarray(0, MAX_HEADER_BYTES);
  const ends = [head.indexOf('\n\r\n'), head.indexOf('\n\n')].filter((end) => end >= 0);
  return Math.min(head.length, ...ends.map((end) => end + 1));
}
