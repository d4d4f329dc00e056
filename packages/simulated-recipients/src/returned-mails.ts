/** A message of the sandbox, as far as a mail about it depends on it. */
export interface ReportedMail {
  readonly from_address: string;
  readonly to_address: string;
  readonly subject: string;
  /** Without angle brackets. */
  readonly message_id: string;
  readonly text: string;
  /** The complete message. */
  readonly raw: string;
}

/** When a mail is written, and what makes its `Message-ID` unique. */
export interface MailStamp {
  readonly now: Date;
  readonly id: string;
}

/** Where the simulated servers and recipients have their names (RFC 2606). */
const SERVER = 'sandbox.invalid';

const rfcDate = (now: Date): string => now.toUTCString().replace('GMT', '+0000');
const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);
const headerOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n'));

/** How a server reports about a recipient in a notification (RFC 3464). */
interface DeliveryStatus {
  readonly action: 'delivered' | 'failed';
  readonly status: string;
  readonly reply: string;
  readonly text: string;
}

const DELIVERED: DeliveryStatus = {
  action: 'delivered',
  status: '2.0.0',
  reply: '250 2.0.0 Ok: delivered',
  text: 'Your message was successfully delivered to the mailbox of the recipient.',
};
const BOUNCED: DeliveryStatus = {
  action: 'failed',
  status: '5.1.1',
  reply: '550 5.1.1 Recipient address rejected: User unknown',
  text: 'Your message could not be delivered: the address of the recipient does not exist.',
};
const SOFT: DeliveryStatus = {
  action: 'failed',
  status: '4.2.2',
  reply: '452 4.2.2 The mailbox of the recipient is full',
  text: 'Your message could not be delivered within the time that is allowed: the mailbox of the recipient is full.',
};

/** Returns a report (RFC 6522) with a part for machines and the header of the message. */
function report(
  mail: ReportedMail,
  stamp: MailStamp,
  { type, from, subject, text, fields }: Record<'type' | 'from' | 'subject' | 'text', string> & { fields: string[] },
): Buffer {
  const boundary = `report-${stamp.id}`;
  return bytesOf([
    `From: ${from}`,
    `To: ${mail.from_address}`,
    `Subject: ${subject}`,
    `Date: ${rfcDate(stamp.now)}`,
    `Message-ID: <${stamp.id}@${SERVER}>`,
    'MIME-Version: 1.0',
    'Auto-Submitted: auto-replied',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
    `--${boundary}`,
    `Content-Type: message/${type}`,
    '',
    ...fields,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    headerOf(mail.raw),
    '',
    `--${boundary}--`,
  ]);
}

const deliveryStatusOf =
  ({ action, status, reply, text }: DeliveryStatus) =>
  (mail: ReportedMail, stamp: MailStamp): Buffer =>
    report(mail, stamp, {
      type: 'delivery-status',
      from: `Mail Delivery System <MAILER-DAEMON@${SERVER}>`,
      subject: action === 'failed' ? 'Undelivered Mail Returned to Sender' : 'Successful Mail Delivery Report',
      text,
      fields: [
        `Reporting-MTA: dns; mx.${SERVER}`,
        `Arrival-Date: ${rfcDate(stamp.now)}`,
        '',
        `Final-Recipient: rfc822; ${mail.to_address}`,
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${reply}`,
      ],
    });

/** The server reports that it has put the message into the mailbox. */
export const deliveredNotice = deliveryStatusOf(DELIVERED);
/** The server returns the message: the address is dead. */
export const bouncedNotice = deliveryStatusOf(BOUNCED);
/** The server returns the message: the mailbox is full. */
export const softBounceNotice = deliveryStatusOf(SOFT);

/** The provider of the recipient reports that it has marked the message as spam (RFC 5965). */
export const complaintNotice = (mail: ReportedMail, stamp: MailStamp): Buffer =>
  report(mail, stamp, {
    type: 'feedback-report',
    from: `Feedback Loop <feedback@${SERVER}>`,
    subject: 'Complaint about a message from your address',
    text: 'This is a report about a message that its recipient has marked as spam.',
    fields: [
      'Feedback-Type: abuse',
      `User-Agent: ${SERVER}/1.0`,
      'Version: 1',
      `Original-Mail-From: <${mail.from_address}>`,
      `Original-Rcpt-To: <${mail.to_address}>`,
      `Arrival-Date: ${rfcDate(stamp.now)}`,
    ],
  });

/** A subject in which only ASCII is written, as encoded words (RFC 2047) of at most 45 bytes each. */
function subjectHeader(subject: string): string {
  if (/^[\x20-\x7e]{0,200}$/.test(subject)) return `Subject: ${subject}`;
  const words: string[] = [];
  for (const character of subject) {
    const joined = (words.at(-1) ?? '') + character;
    if (words.length > 0 && Buffer.byteLength(joined) <= 45) words[words.length - 1] = joined;
    else words.push(character);
  }
  return `Subject: ${words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')}`;
}

const MAX_QUOTED_LINES = 20;

const quoted = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .slice(0, MAX_QUOTED_LINES)
    .map((line) => `> ${line}`);

function answer(mail: ReportedMail, stamp: MailStamp, subject: string, { headers, lines }: Record<string, string[]>) {
  const body = (lines ?? []).join('\r\n');
  return bytesOf([
    `From: ${mail.to_address}`,
    `To: ${mail.from_address}`,
    subjectHeader(subject),
    `Date: ${rfcDate(stamp.now)}`,
    `Message-ID: <${stamp.id}@${SERVER}>`,
    `In-Reply-To: <${mail.message_id}>`,
    `References: <${mail.message_id}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    ...(headers ?? []),
    '',
    ...(Buffer.from(body)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
  ]);
}

/** The recipient answers. */
export const reply = (mail: ReportedMail, stamp: MailStamp): Buffer =>
  answer(mail, stamp, `Re: ${mail.subject}`, {
    lines: [
      'Thank you for your message. That sounds interesting, tell me more.',
      '',
      `On ${rfcDate(stamp.now)}, ${mail.from_address} wrote:`,
      ...quoted(mail.text),
    ],
  });

const ABSENT_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/** The mail program of the recipient answers that it is away for a week. */
export function absenceNotice(mail: ReportedMail, stamp: MailStamp): Buffer {
  const back = new Date(stamp.now.getTime() + ABSENT_DAYS * MS_PER_DAY).toISOString().slice(0, 10);
  return answer(mail, stamp, `Out of office: ${mail.subject}`, {
    headers: ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'],
    lines: [`I am out of the office and will be back on ${back}.`],
  });
}
