import { reportedMail } from '../test/reported-mail.js';
import { parseMail } from './parse-mail.js';
import { type Notice, type ReceivedMail, receivedMail, UnreadableMail } from './received-mail.js';

const about = { message_id: 'AYcJAtpF-1RL_pL6@sender.example', address: 'bob@acme.example' };

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z');

const readMail = async (raw: Buffer): Promise<ReceivedMail> =>
  receivedMail(await parseMail({ bytes: raw, received_at: RECEIVED_AT }));
const noticeIn = async (raw: Buffer): Promise<Notice | undefined> => (await readMail(raw)).notice;
const noticeOfSample = (name: string) => noticeIn(reportedMail(name, about));
const mail = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));

const NO_NOTICES = [
  'postfix-delayed',
  'microsoft365-delayed',
  'gmail-delayed',
  'exim-text-delayed',
  'praise',
  'read-receipt',
];

describe('noticeOf', () => {
  it.each([
    ['postfix-dead', 'hard', '5.1.1', /^550 5\.1\.1 <bob@acme\.example>: Recipient address rejected: User unknown in/],
    ['exim-dead', 'hard', '550', /^550 No such user here$/],
    ['exchange-dead', 'hard', '5.1.10', /^550 5\.1\.10 RESOLVER\.ADR\.RecipientNotFound; Recipient/],
    ['gmail-dead', 'hard', '5.1.1', /^550-5\.1\.1 The email account that you tried to reach does not exist\./],
    ['postfix-content', 'soft', '550', /^550 Message refused as spam$/],
    ['postfix-expired', 'soft', '4.4.1', /^connect to mx\.example\.com\[192\.0\.2\.25\]:25: Connection timed out$/],
    ['exchange-full', 'soft', '5.2.2', /^554 5\.2\.2 mailbox full; STOREDRV/],
    ['microsoft365-dead', 'hard', '5.1.10', /^550 5\.1\.10 RESOLVER/],
    ['microsoft365-fr-dead', 'hard', '5.1.1', /^550 5\.1\.1 <bob@acme\.example>: Recipient address rejected/],
    ['microsoft365-fr-blocked', 'soft', '5.7.1', /^550 5\.7\.1 TRANSPORT/],
    ['microsoft365-domain', 'hard', '5.4.310', /^550 5\.4\.310 DNS domain acme\.example does not exist/],
    ['gmail-fr-dead', 'hard', '5.1.1', /^550-5\.1\.1 The email account/],
    ['gmail-full', 'soft', '5.2.2', /^552-5\.2\.2 The recipient's inbox is out of storage/],
    ['yahoo-dead', 'hard', '5.1.1', /^550 5\.1\.1 Requested mail action aborted/],
    ['orange-dead', 'hard', '5.1.1', /^550 5\.1\.1 Adresse d au moins un destinataire invalide/],
    ['free-full', 'soft', '5.2.2', /^552 5\.2\.2 Boite pleine$/],
    ['ovh-dead', 'hard', '5.1.1', /^550 5\.1\.1 <bob@acme\.example>: Recipient address rejected/],
    ['exim-dead-dsn-de', 'hard', '5.1.1', /^550 5\.1\.1 Unbekannter Empfaenger$/],
    ['qmail-dead', 'hard', '5.1.1', /^550 5\.1\.1 No such user$/],
    ['qmail-text-dead', 'hard', '5.1.1', /^Sorry, no mailbox here by that name\. \(#5\.1\.1\)$/],
    ['qmail-text-refused', 'soft', '5.7.1', /^554 5\.7\.1 Message refused as spam$/],
    ['exim-text-dead', 'hard', '5.1.1', /^550 5\.1\.1 User unknown$/],
    ['yahoo-text-dead', 'hard', '5.1.1', /^550 5\.1\.1 <bob@acme\.example>: Recipient address rejected/],
    ['french-text-dead', 'hard', '5.1.1', /^550 5\.1\.1 Utilisateur inconnu$/],
  ])('reads the sample %s as a %s bounce with the code %s', async (name, type, code, message) => {
    const notice = await noticeOfSample(name);
    expect(notice?.report).toEqual({
      kind: 'bounced',
      bounce: { type, code, message: expect.stringMatching(message) },
      address: expect.stringMatching(/^bob@acme\.(onmicrosoft\.)?example$/),
    });
    expect(notice?.message_ids[0]).toBe(about.message_id);
  });

  it.each([
    ['postfix-delivered', 'delivered'],
    ['complaint', 'complained'],
    ['reply', 'replied'],
    ['reply-in-thread', 'replied'],
  ])('reads the sample %s as %s', async (name, kind) => {
    const notice = await noticeOfSample(name);
    expect(notice?.report).toMatchObject({ kind });
    expect(notice?.message_ids).toContain(about.message_id);
  });

  it('finds the first and the last of very many Message-IDs, and only the fields that are used are returned', async () => {
    const ids = Array.from({ length: 5_000 }, (_, number) => `id${number}@sender.example`);
    const references = ids.map((id) => `<${id}>`).join('\r\n ');
    const raw = mail(`References: ${references}`, 'X-Other: other', 'Precedence: normal', '', 'Hello');
    const parsed = await parseMail({ bytes: raw, received_at: RECEIVED_AT });
    expect(JSON.stringify('header' in parsed && [...parsed.header.keys()])).toBe(
      '["message-id","in-reply-to","references","precedence"]',
    );
    const found = [...ids.slice(0, 10), ...ids.slice(-10)];
    expect((await noticeIn(raw))?.message_ids).toEqual(found.reverse());
  });

  it.each(NO_NOTICES)('returns nothing for the sample %s', async (name) => {
    expect(await noticeOfSample(name)).toBeUndefined();
  });

  it.each([
    ['reply', 'reply'],
    ['postmaster-in-person', 'reply'],
    ['vacation-exchange', 'out_of_office'],
    ['vacation-unmarked', 'out_of_office'],
  ])('reads the sample %s as a mail of the class %s', async (name, classification) => {
    expect((await noticeOfSample(name))?.report).toMatchObject({ kind: 'replied', classification });
  });

  it.each(['postfix-dead', 'gmail-dead', 'complaint', 'reply'])(
    'reads the sample %s equally from an mbox file',
    async (name) => {
      const raw = reportedMail(name, about).toString().replaceAll('\r\n', '\n');
      const spooled = Buffer.from(`From MAILER-DAEMON  Sat Nov 21 08:31:02 2026\n${raw}`);
      expect(await noticeIn(spooled)).toEqual(await noticeOfSample(name));
    },
  );

  it('returns In-Reply-To before References, and the latest reference first', async () => {
    const header = mail(
      'In-Reply-To: <3@x.test>',
      'References: <1@x.test>',
      '\t<2@x.test> nonsense <>',
      '',
      'text <9@x.test>',
    );
    expect((await noticeIn(header))?.message_ids).toEqual(['3@x.test', '2@x.test', '1@x.test']);
  });

  it.each([
    ['Auto-Submitted: auto-replied'],
    ['Auto-Submitted: Auto-Generated; owner-email="x@y.test"'],
    ['Precedence: bulk'],
    ['precedence: auto_reply'],
    ['X-Autoreply: yes'],
    ['Return-Path: <>'],
    ['Subject: Out of Office: Re: Hello'],
    ['Subject: Abwesenheitsnotiz: Hello'],
  ])('treats a mail with "%s" as automatic', async (line) => {
    const notice = await noticeIn(mail(line, 'In-Reply-To: <1@x.test>', '', 'Hello'));
    expect(notice).toMatchObject({
      message_ids: ['1@x.test'],
      report: { classification: expect.stringMatching(/^(automatic|out_of_office)$/) },
    });
  });

  it.each([['List-Id: <people.lists.test>'], ['List-Post: <mailto:people@lists.test>'], ['Precedence: list']])(
    'ignores a mail of a mailing list, with "%s"',
    async (line) => {
      expect(await noticeIn(mail(line, 'In-Reply-To: <1@x.test>', '', 'Hello'))).toBeUndefined();
    },
  );

  it.each([
    ['Auto-Submitted: no'],
    ['Precedence: normal'],
    ['Return-Path: <bob@acme.example>'],
    ['Subject: Re: Out of office hours?'],
  ])('treats a mail with "%s" as a reply', async (line) => {
    const notice = await noticeIn(mail(line, 'In-Reply-To: <1@x.test>', '', 'Hello'));
    expect(notice).toMatchObject({ message_ids: ['1@x.test'], report: { classification: 'reply' } });
  });

  it('prefers the original recipient, and has a default message if there is no reason', async () => {
    const report = mail(
      'Content-Type: multipart/report; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; x',
      '',
      'Final-Recipient: rfc822; forwarded@acme.example',
      'Original-Recipient: rfc822;<bob@acme.example>',
      'Action: Failed (no such thing)',
      '',
      '--b--',
    );
    expect(await noticeIn(report)).toEqual({
      message_ids: [],
      report: {
        kind: 'bounced',
        bounce: { type: 'soft', code: null, message: 'Not delivered: no reason given' },
        address: 'bob@acme.example',
      },
    });
  });

  it('throws nothing but UnreadableMail for malformed mails', async () => {
    const odd = [
      '',
      '\r\n\r\n',
      'no header at all',
      '\0\0\0',
      'Content-Type: multipart/report; boundary=',
      'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nAction:\r\n\r\n--b--',
      'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n',
      `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\nContent-Type: message/delivery-status\r\n\r\n'.repeat(2000)}`,
      'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: ;\r\n\r\nx\r\n--b--',
      `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nTo: ${'a:'.repeat(60_000)}\r\n\r\nx`,
      `To: ${'a:'.repeat(120_000)}\r\n\r\n`,
      `References: ${'<'.repeat(200_000)}`,
      `References: <${'a@'.repeat(200_000)}`,
      `Subject: ${'=?utf-8?Q?'.repeat(20_000)}`,
      'In-Reply-To: <🙂@\ud800>',
    ];
    for (const text of odd) {
      const result = await noticeIn(Buffer.from(text)).catch((error: unknown) => error);
      expect([text.slice(0, 99), result instanceof Error && !(result instanceof UnreadableMail)]).toEqual([
        text.slice(0, 99),
        false,
      ]);
    }
  });

  it('throws UnreadableMail for a report with too many parts or with parts in too many levels', async () => {
    const levels = Array.from(
      { length: 5000 },
      (_, level) => `--b${level}\r\nContent-Type: multipart/mixed; boundary=b${level + 1}\r\n\r\n`,
    );
    for (const body of ['--b0\r\n\r\n\r\n'.repeat(100_000), levels.join('')]) {
      const report = Buffer.from(`Content-Type: multipart/report; boundary=b0\r\n\r\n${body}`);
      await expect(readMail(report)).rejects.toThrow(UnreadableMail);
    }
  });

  it('reads a report that is followed by a large message in base64', async () => {
    const sample = reportedMail('postfix-dead', about).toString();
    const end = sample.lastIndexOf('\r\n--');
    const large = `${sample.slice(0, end)}\r\n${'QUFB'.repeat(2_000_000)}${sample.slice(end)}`;
    expect(await noticeIn(Buffer.from(large))).toEqual(await noticeOfSample('postfix-dead'));
  });
});
