import fc from 'fast-check';
import { dkimPair, verifySignatures } from '../../../test/support/dkim.js';
import { dkimSigner, signed } from './dkim-signature.js';
import { toMime } from './mime.js';
import type { WrittenMail } from './written-mail.js';

const KEYS = { rsa: dkimPair(1_024), ed25519: dkimPair() };
const signerOf = (key: keyof typeof KEYS) =>
  dkimSigner({ domain: 'sender.example', selector: `of-${key}`, private_key: KEYS[key].pem });
const RECORDS = {
  'of-rsa._domainkey.sender.example': KEYS.rsa.record,
  'of-ed25519._domainkey.sender.example': KEYS.ed25519.record,
};

const mail = (subject: string, text: string, html: string): WrittenMail => ({
  from: { name: 'Zoë Quinn', email: 'zoe@sender.example' },
  to: 'person@example.com',
  message_id: 'AAEAAhVb3kq0@sender.example',
  subject,
  text,
  html,
  headers: {
    'List-Unsubscribe': '<https://outreach.example/u/token>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Feedback-ID': 'campaign-7:workspace-2:first:outreach',
    'In-Reply-To': '<c@d.example>',
    References: '<a@b.example> <c@d.example>',
  },
});

const line = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.constantFrom(
    '',
    ' ',
    '\t\t',
    '  two  spaces  ',
    'ends with a space ',
    '.',
    '\r',
    'a\rb',
    '日本語',
    'a'.repeat(1_200),
  ),
);
const content = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
const results = async (raw: Buffer) =>
  (await verifySignatures(raw.toString('latin1'), RECORDS)).map(({ result }) => result);

describe('signed', () => {
  it('signs every message so that mailauth verifies it, with RSA and with Ed25519', async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        content,
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.constantFrom('rsa' as const, 'ed25519' as const),
        async (text, html, subject, key) => {
          expect(await results(await signed(toMime(mail(subject, text, html)), signerOf(key)))).toEqual(['pass']);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(['', '\r\n', '\r\n\r\n\r\n', ' \r\n\t\r\n', '\r\nlast line'])('signs the body %j', async (body) => {
    const raw = Buffer.from(`From: Ann <ann@sender.example>\r\nSubject: Hello\r\n\r\n${body}`);
    expect(await results(await signed(raw, signerOf('rsa')))).toEqual(['pass']);
  });

  it('covers the headers that say from whom the message is and how to unsubscribe', async () => {
    const raw = await signed(toMime(mail('Hello', 'text', '<p>html</p>')), signerOf('rsa'));
    const [signature] = await verifySignatures(raw.toString('latin1'), RECORDS);
    expect(signature).toEqual({
      result: 'pass',
      domain: 'sender.example',
      algorithm: 'rsa-sha256',
      headers: [
        ...['cc', 'content-transfer-encoding', 'content-type', 'content-type', 'date', 'date', 'feedback-id'],
        ...['feedback-id', 'from', 'from', 'in-reply-to', 'in-reply-to', 'list-unsubscribe', 'list-unsubscribe'],
        ...['list-unsubscribe-post'],
        ...['list-unsubscribe-post', 'message-id', 'message-id', 'mime-version', 'mime-version', 'references'],
        ...['references', 'reply-to', 'sender', 'subject', 'subject', 'to', 'to'],
      ],
    });
  });

  it('is not valid any more if a covered header or the body is changed', async () => {
    const raw = (await signed(toMime(mail('Hello', 'text', '<p>html</p>')), signerOf('ed25519'))).toString('latin1');
    const changes = [
      raw.replace('/u/token', '/u/other'),
      raw.replace('One-Click', 'One-Klick'),
      raw.replace('<p>html', '<p>htm1'),
      raw.replace('Subject: Hello', 'Subject: Hallo'),
    ];
    expect(await Promise.all(changes.map((changed) => results(Buffer.from(changed))))).not.toContainEqual(['pass']);
    expect(await results(Buffer.from(raw.replace('Subject: Hello', 'subject:  Hello ')))).toEqual(['pass']);
  });

  it.each([
    ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID', 'In-Reply-To', 'References'],
    ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
    'Feedback-ID',
  ])('is not valid any more if a header %s is added above or below the others', async (name) => {
    const raw = (await signed(toMime(mail('Hello', 'text', '<p>html</p>')), signerOf('rsa'))).toString('latin1');
    const added = `${name}: other@sender.example\r\n`;
    const changes = [added + raw, raw.replace('\r\n\r\n', `\r\n${added}\r\n`)];
    expect(await Promise.all(changes.map((changed) => results(Buffer.from(changed))))).not.toContainEqual(['pass']);
  });

  it('stays valid if a relay or a mailing list adds headers of its own to a message without them', async () => {
    const plain = { ...mail('Hello', 'text', '<p>html</p>'), headers: {} };
    const raw = (await signed(toMime(plain), signerOf('rsa'))).toString('latin1');
    const added = 'Received: from a by b\r\nList-Id: <list.example>\r\nList-Unsubscribe: <https://list.example>\r\n';
    expect(await results(Buffer.from(added + raw))).toEqual(['pass']);
  });

  it('writes lines of at most 998 characters', async () => {
    const { pem } = dkimPair(4_096);
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    const raw = await signed(
      toMime(mail('Hello', 'text', '<p>html</p>')),
      dkimSigner({ domain, selector: 's', private_key: pem }),
    );
    const [header = ''] = raw.toString().split(/\r\n(?![ \t])/);
    expect(header).toMatch(/^DKIM-Signature: v=1; /);
    expect(Math.max(...header.split('\r\n').map(({ length }) => length))).toBeLessThan(140);
  });
});
