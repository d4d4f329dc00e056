import fc from 'fast-check';
import type { ComposedMail } from '../../email-accounts/index.js';
import { nodeOf, serialize } from './mime.js';

const mail = (text: string, html: string, subject = 'Hello'): ComposedMail => ({
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
  ),
);
const content = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n'));

describe('serialize', () => {
  it('returns the bytes that nodemailer builds', async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        content,
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        async (text, html, subject) => {
          const node = nodeOf(mail(text, html, subject));
          expect(serialize(node).toString()).toBe((await node.build()).toString());
        },
      ),
    );
  });

  it('writes lines of 7-bit characters', () => {
    const bytes = serialize(nodeOf(mail('Grüße '.repeat(2_000), `<p>${'日本語 '.repeat(20_000)}</p>`, '日本語')));
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
