import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { toMime } from './mime.js';
import type { WrittenMail } from './written-mail.js';

const mail = (text: string, html: string, subject = 'Hello'): WrittenMail => ({
  from: { name: 'Zoë Quinn', email: 'zoe@sender.example' },
  to: 'person@example.com',
  message_id: 'AAEAAhVb3kq0@sender.example',
  subject,
  text,
  html,
  headers: { 'List-Unsubscribe': '<https://outreach.example/u/token>', References: '<a@b.example> <c@d.example>' },
});

const line = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '.',
    '..',
    '.a',
    '--',
    ' ',
    'ends with a space ',
    '日本語のメール'.repeat(20),
    'a'.repeat(1_200),
    'x=3D&y===',
    'a\rb',
    '\r.\r',
  ),
);
const content = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n'));

/** Only the date stands still, because both write it into their headers; streams need real timers. */
const ONLY_DATE: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['nextTick', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask'],
};

/** What nodemailer builds of a message whose lines end with CRLF, the canonical form of RFC 2045, 6.8. */
async function builtByNodemailer({ from, to, message_id, headers, ...mail }: WrittenMail): Promise<string> {
  const composer = new MailComposer({
    ...mail,
    text: mail.text.replaceAll(/\r\n?|\n/g, '\r\n'),
    html: mail.html.replaceAll(/\r\n?|\n/g, '\r\n'),
    from: { name: from.name, address: from.email },
    to: { name: '', address: to },
    messageId: `<${message_id}>`,
    baseBoundary: message_id.replace(/@.*/, ''),
    headers: { ...headers, 'List-Unsubscribe': { prepared: true, value: headers['List-Unsubscribe'] ?? '' } },
  });
  return (await composer.compile().build()).toString();
}

describe('toMime', () => {
  afterEach(() => jest.useRealTimers());

  it('has no line that ends with CR alone, after which a server could take a dot for the end of the message', () => {
    const raw = toMime(
      mail('Hi\r.\rMAIL FROM:<a@b.example>\r\nx', '<p>Hi\r.\rMAIL FROM:<a@b.example></p>\r'),
    ).toString();
    expect(raw).not.toMatch(/\r(?!\n)/);
    expect(raw).toContain('Hi\r\n.\r\nMAIL FROM:<a@b.example>\r\nx');
  });

  it('returns the bytes that nodemailer builds, with CRLF at the end of each line', async () => {
    jest.useFakeTimers({ ...ONLY_DATE, now: new Date('2026-03-29T00:59:59.999Z') });
    await fc.assert(
      fc.asyncProperty(
        content,
        content,
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        async (text, html, subject) => {
          fc.pre(text !== '' && html !== '');
          const message = mail(text, html, subject);
          expect(toMime(message).toString()).toBe(await builtByNodemailer(message));
        },
      ),
    );
  });

  it.each([
    ['text/plain', mail('Only text', '')],
    ['text/html', mail('', '<p>Only HTML, with a line of more than 76 characters: ééééééééééééééééééééé</p>')],
    ['text/plain', mail('', '')],
  ])('returns a message of one part, %s, if it has no other content', async (type, message) => {
    const parsed = await simpleParser(toMime(message));
    expect(parsed.headers.get('content-type')).toMatchObject({ value: type });
    expect((parsed.text ?? '').trim()).toBe(message.text || message.html.replaceAll(/<\/?p>/g, ''));
    expect(parsed.subject).toBe('Hello');
  });

  it('writes lines of 7-bit characters', () => {
    const bytes = toMime(mail('Grüße '.repeat(2_000), `<p>${'日本語 '.repeat(20_000)}</p>`, '日本語'));
    expect(bytes.every((byte) => byte < 128)).toBe(true);
    expect(
      Math.max(
        ...bytes
          .toString()
          .split('\r\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThan(1_000);
  });
});
