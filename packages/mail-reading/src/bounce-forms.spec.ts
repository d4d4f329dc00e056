import { HeaderFields } from './header-fields.js';
import { isUnmarked, reportSenderOf } from './mail-server.js';
import { parseMail } from './parse-mail.js';
import { type Notice, receivedMail } from './received-mail.js';

const ID = 'AYcJAtpF-1RL_pL6@sender.example';
const TO = 'bob@acme.example';
const DEAD = `550 5.1.1 <${TO}>: Recipient address rejected: User unknown`;
const RETURNED = ['From: sales@sender.example', `To: ${TO}`, 'Subject: Our spam policy', `Message-ID: <${ID}>`];

const lines = (...text: readonly string[]): string => text.join('\r\n');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A mail of several parts, each with its media type. */
function mixed(header: readonly string[], parts: Readonly<Record<string, string>>, type = 'multipart/mixed'): string {
  const body = Object.entries(parts).map(([of, text]) => lines('--b', `Content-Type: ${of}`, '', text));
  return lines(...header, `Content-Type: ${type}; boundary="b"`, '', ...body, '--b--', '');
}

const daemon = (subject: string, from = 'MAILER-DAEMON@mx.example'): string[] => [
  `From: ${from}`,
  `Subject: ${subject}`,
];
const failed = (...fields: string[]): string =>
  lines('Reporting-MTA: dns; mx.example', '', `Final-Recipient: rfc822; ${TO}`, 'Action: failed', ...fields);

const noticeIn = async (mail: string): Promise<Notice | undefined> =>
  receivedMail(await parseMail({ bytes: Buffer.from(mail), received_at: new Date('2026-11-21T10:00:00Z') })).notice;

/** Bounces by their forms: the mail, and the type and code of the bounce. */
const BOUNCES: Record<string, readonly [mail: string, type: 'hard' | 'soft', code: string | null]> = {
  'a delivery status in multipart/mixed whose reply is in the text': [
    mixed(daemon('Delivery status notification: failed'), {
      'text/plain': `An error has occurred while attempting to deliver a message:\r\n\r\n${TO}: ${DEAD}`,
      'message/delivery-status': failed('Status: 5.0.0'),
      'text/rfc822-headers': lines(...RETURNED),
    }),
    'hard',
    '5.1.1',
  ],
  'a delivery status from a sender without the name of a mail server': [
    mixed(daemon('Undeliverable: Hello', 'Gateway <gateway@acme.example>'), {
      'message/delivery-status': failed('Status: 5.1.1'),
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'hard',
    '5.1.1',
  ],
  'a multipart/report without a delivery status': [
    mixed(
      daemon('Failure Notice'),
      {
        'text/plain': `Sorry, we were unable to deliver your message.\r\n\r\n<${TO}>:\r\n550: 5.1.1 User unknown`,
        'message/rfc822': lines(...RETURNED, '', 'Hello'),
      },
      'multipart/report; report-type=delivery-status',
    ),
    'hard',
    '5.1.1',
  ],
  'a notice of qmail with the message in another part': [
    mixed(daemon('failure notice'), {
      'text/plain': lines(
        'Hi. This is the qmail-send program at mx.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        '',
        `<${TO}>:`,
        'Sorry, your mail was administratively denied. (#5.7.1)',
        '',
        '--- Enclosed is a copy of the message.',
      ),
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'soft',
    '5.7.1',
  ],
  'a notice of a sender without an address, with the header below its text': [
    lines(
      ...daemon('Mail delivery failed', 'MAILER-DAEMON <>'),
      '',
      `There was an error delivering your mail to <${TO}>.`,
      '',
      'mx.example [192.0.2.25] did not like our RCPT TO:',
      DEAD,
      '',
      'Message headers follow.',
      '',
      ...RETURNED,
    ),
    'hard',
    '5.1.1',
  ],
  'a delivery status whose reply says otherwise': [
    mixed(daemon('Returned mail'), {
      'message/delivery-status': failed('Status: 5.1.1', 'Diagnostic-Code: SMTP; 550 5.7.1 IP address blacklisted'),
      'text/rfc822-headers': lines(...RETURNED),
    }),
    'soft',
    '5.7.1',
  ],
  'a refusal of a Google group': [
    lines(
      ...daemon('Delivery Status Notification (Failure)', 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>'),
      `X-Failed-Recipients: ${TO}`,
      `In-Reply-To: <${ID}>`,
      '',
      'the group you tried to contact (team) may not exist, or you may not have permission to post messages to the group.',
    ),
    'soft',
    null,
  ],
  'a refusal of a Google group in another language': [
    lines(
      ...daemon('Delivery Status Notification (Failure)'),
      `X-Failed-Recipients: ${TO}`,
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Skupina, kterou se pokoušíte kontaktovat, pravděpodobně neexistuje. https://groups.google.com/support/',
      '',
      '----- Original message -----',
      '',
      ...RETURNED,
    ),
    'soft',
    null,
  ],
  'the fields of a delivery status in the text': [
    mixed(daemon('Delivery Status Notification (Failure)'), {
      'text/plain': lines(
        `An error occurred while trying to deliver the mail to ${TO}`,
        '',
        'Action: failed',
        `Final-Recipient: rfc822; ${TO}`,
        'Diagnostic-Code: smtp; 550 5.1.1 User Unknown',
        'Status: 5.1.1',
      ),
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'hard',
    '5.1.1',
  ],
  'a message with parts whose header does not name its media type': [
    lines(
      ...daemon('Returned mail: see transcript for details', 'Mail Delivery Subsystem <MAILER-DAEMON>'),
      '',
      '--x',
      'Content-Type: message/delivery-status',
      '',
      failed('Status: 5.0.0', 'Diagnostic-Code: SMTP; 550 Unauthenticated senders not allowed'),
      '',
      '--x',
      'Content-Type: message/rfc822',
      '',
      ...RETURNED,
    ),
    'soft',
    '550',
  ],
  'a plain text notice of a postmaster, with the Message-ID on the next line and without brackets': [
    lines(
      ...daemon(
        'DELIVERY FAILURE: User Bob (bob@acme.example) not listed in Domino Directory',
        'Postmaster@acme.example',
      ),
      '',
      `Your message was not delivered to:\r\n\r\n  ${TO}\r\n\r\nbecause:`,
      '',
      `  User Bob (${TO}) not listed in Domino Directory`,
      '',
      'Message-Id:',
      `  ${ID}`,
    ),
    'hard',
    null,
  ],
  'an original in an attachment in base64, from a server that is known by the null path alone': [
    lines(
      'Return-Path: <>',
      'From: gateway@acme.example',
      'Subject: Hello',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      `--b\r\n\r\nYour message could not be delivered.\r\n\r\n${TO}\r\n   (reason: 550 5.1.1 User unknown)\r\n`,
      '--b',
      'Content-Type: text/plain; name="header.txt"',
      'Content-Disposition: attachment; filename="header.txt"',
      'Content-Transfer-Encoding: base64',
      '',
      base64(lines(...RETURNED)),
      '--b--',
    ),
    'hard',
    '5.1.1',
  ],
  'a notice in HTML': [
    mixed(daemon('Undelivered Mail', 'System Administrator <admin@acme.example>'), {
      'text/html': `<p>Your message did not reach ${TO}.</p><p>Remote server returned '550 5.1.10 Recipient not found'</p>`,
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'hard',
    '5.1.10',
  ],
  'a notice in a language that is not known, which cites the reply': [
    lines(
      'Return-Path: <>',
      ...daemon('Saada ei onnistunut', 'postmaster@acme.example'),
      '',
      `${TO}: 552 5.2.2 Mailbox full`,
      '',
      ...RETURNED,
    ),
    'soft',
    '5.2.2',
  ],
  'a notice whose encoded subject alone shows what it is': [
    mixed(daemon(`=?UTF-8?B?${base64('メールエラー通知')}?=`, 'no-reply@acme.example'), {
      'text/plain': `Could not be delivered to: <${TO}>\r\nAs their mailbox is full.`,
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'soft',
    null,
  ],
  'a message that has expired in the queue': [
    mixed(daemon('Undelivered Mail Returned to Sender'), {
      'message/delivery-status': lines(`Final-Recipient: rfc822; ${TO}`, 'Action: expired', 'Status: '),
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'soft',
    null,
  ],
};

/** Bounces whose header is like that of a mail of a person. */
const UNMARKED: Record<string, readonly [mail: string, type: 'hard' | 'soft', code: string | null]> = {
  'a header below the text': [
    lines(
      ...daemon('Hello', 'Mail gateway <gateway@acme.example>'),
      '',
      `Your message could not be delivered to <${TO}>:`,
      '550 5.1.1 User unknown',
      '',
      ...RETURNED,
    ),
    'hard',
    '5.1.1',
  ],
  'the fields of a delivery status in the text': [
    lines(...daemon('Hello', 'info@acme.example'), '', failed('Status: 5.1.1'), '', ...RETURNED),
    'hard',
    '5.1.1',
  ],
  'the message attached': [
    mixed(daemon('Error: Hello', 'Support <support@acme.example>'), {
      'text/plain': `Die Nachricht an ${TO} konnte nicht zugestellt werden:\r\n552 5.2.2 Mailbox full`,
      'message/rfc822': lines(...RETURNED, '', 'Hello'),
    }),
    'soft',
    '5.2.2',
  ],
  'the text in base64': [
    lines(
      ...daemon('Hello', 'gateway@acme.example'),
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      base64(lines(`Le message n’a pas pu être remis à <${TO}>:`, '550 5.1.1 inconnu', '', ...RETURNED)),
    ),
    'hard',
    '5.1.1',
  ],
};

/** Mails of people without a sign of a reply in their headers, which have the Message-ID of a message. */
const CITING: Record<string, string> = {
  'a question about a message': lines(
    `From: Bob <${TO}>`,
    'Subject: Your message',
    '',
    'Did you write this? I cannot open it.',
    '',
    ...RETURNED,
  ),
  'a forwarded bounce': lines(
    `From: Bob <${TO}>`,
    'Subject: Fwd: Undeliverable',
    '',
    `Your message could not be delivered: ${DEAD}`,
    '',
    ...RETURNED,
  ),
};

/** Mails with signs of a bounce that are none. */
const NO_BOUNCES: Record<string, string> = {
  'a delay in multipart/mixed': mixed(daemon('Delivery status notification: delayed'), {
    'text/plain': 'A message is delayed. Please note that this is only a temporary failure report.',
    'message/delivery-status': lines(`Final-Recipient: rfc822; ${TO}`, 'Action: delayed', 'Status: 4.0.0'),
    'text/rfc822-headers': lines(...RETURNED),
  }),
  'a delay in the text': lines(
    ...daemon('Mail Delivery Status Notification (Delay)'),
    '',
    'THIS IS A WARNING MESSAGE ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
    `<${TO}> 421 Host not reachable. Message will be retried for 4 more day(s)`,
    '',
    ...RETURNED,
  ),
  'a mail server that has delivered it': lines(
    ...daemon('Delivery notification'),
    '',
    `Your message to ${TO} has been successfully delivered.`,
    '',
    ...RETURNED,
  ),
  'a confirmation of reading': mixed(
    daemon('Read: Hello', 'Bob <bob@acme.example>'),
    {
      'text/plain': 'Your message was read.',
      'message/disposition-notification': 'Disposition: automatic-action/MDN-sent-automatically; displayed',
      'text/rfc822-headers': lines(...RETURNED),
    },
    'multipart/report; report-type=disposition-notification',
  ),
};

/** Mails of people and of automatic responders that look like bounces. */
const REPLIES: Record<string, string> = {
  'a person who forwards a bounce': lines(
    'From: Ann <ann@acme.example>',
    'Subject: Fwd: Undelivered Mail Returned to Sender',
    `In-Reply-To: <${ID}>`,
    '',
    'Bob has left, see below.',
    '',
    `> <${TO}>: ${DEAD}`,
    `> Message-ID: <${ID}>`,
  ),
  'an automatic reply with the null path that mentions deliveries': lines(
    'Return-Path: <>',
    `From: ${TO}`,
    'Subject: Out of office',
    'Auto-Submitted: auto-replied',
    `In-Reply-To: <${ID}>`,
    '',
    'I am away. Parcels could not be delivered this week.',
  ),
  'a person whose subject begins like that of a notice': lines(
    `From: Bob <${TO}>`,
    'Subject: Delivery failed?',
    `In-Reply-To: <${ID}>`,
    '',
    'I wonder whether my message of Monday could not be delivered.',
  ),
  'the person who runs a mail server': lines(
    'From: Postmaster <postmaster@acme.example>',
    'Subject: Re: Hello',
    `In-Reply-To: <${ID}>`,
    '',
    'Yes, please call me.',
  ),
};

const headerIn = (mail: string): HeaderFields => HeaderFields.parse(mail.slice(0, mail.indexOf('\r\n\r\n')));

describe('the forms of bounces', () => {
  it.each(Object.entries({ ...BOUNCES, ...UNMARKED }))('%s', async (_form, [mail, type, code]) => {
    expect(await noticeIn(mail)).toMatchObject({
      message_ids: expect.arrayContaining([ID]),
      report: {
        kind: 'bounced',
        bounce: { type, code, message: expect.any(String) },
        address: TO,
      },
    });
  });

  it.each(Object.entries(BOUNCES))('are fetched from a mailbox because of the header: %s', (_form, [mail]) => {
    expect(reportSenderOf(headerIn(mail))).toBeDefined();
  });

  it.each(Object.entries(UNMARKED))('are looked for by the mail server: %s', (_form, [mail]) => {
    expect(reportSenderOf(headerIn(mail))).toBeUndefined();
    expect(isUnmarked(headerIn(mail))).toBe(true);
  });

  it.each([
    'Content-Type: multipart/alternative; boundary=b',
    'Content-Type: text/html',
    'X-Mailer: Mail',
    'User-Agent: Mail',
  ])('are not looked for in mail of a person: %s', (field) =>
    expect(isUnmarked(headerIn(lines('From: a@example.com', field, '', DEAD)))).toBe(false),
  );

  it('do not hide the mail of a person who cites the bounce of another message', async () => {
    const mail = lines(`From: ${TO}`, 'Subject: My mail', '', `It came back: ${DEAD}`, '', ...RETURNED);
    expect(await noticeIn(mail)).toMatchObject({ report: { kind: 'bounced' }, otherwise: { kind: 'replied' } });
  });

  it.each(Object.entries(CITING))('do not include %s, which may be a reply', async (_form, mail) => {
    expect(await noticeIn(mail)).toMatchObject({ message_ids: [], report: { kind: 'replied' } });
  });

  it.each(Object.entries(NO_BOUNCES))('do not include %s', async (_form, mail) => {
    expect(await noticeIn(mail)).toBeUndefined();
  });

  it.each(Object.entries(REPLIES))('do not include %s, which is a reply', async (_form, mail) => {
    expect(await noticeIn(mail)).toMatchObject({ message_ids: [ID], report: { kind: 'replied' } });
  });
});

describe('the forms of complaints', () => {
  it.each([
    [
      'a provider that returns the message',
      mixed(daemon('complaint about message from 192.0.2.9', 'staff@mail.example'), {
        'message/rfc822': lines('X-HmXmrOriginalRecipient: bob@acme.example', ...RETURNED, '', 'Hello'),
      }),
      'complained',
    ],
    [
      'a feedback report in multipart/mixed',
      mixed(daemon('Abuse report', 'feedback@mail.example'), {
        'message/feedback-report': 'Feedback-Type: abuse\r\nVersion: 1',
        'message/rfc822': lines(...RETURNED, '', 'Hello'),
      }),
      'complained',
    ],
    [
      'an opt-out, which unsubscribes',
      mixed(
        daemon('FW: Hello', 'feedback@mail.example'),
        {
          'message/feedback-report': 'Feedback-Type: opt-out\r\nVersion: 0.1',
          'text/rfc822-headers': lines(...RETURNED),
        },
        'multipart/report; report-type=feedback-report',
      ),
      'unsubscribed',
    ],
  ])('%s', async (_form, mail, kind) => {
    expect(await noticeIn(mail)).toMatchObject({ message_ids: [ID], report: { kind } });
  });
});
