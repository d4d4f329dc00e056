import fc from 'fast-check';
import { endOfContent, escapeLines } from './content-lines.js';

/** What a server reads from the lines of the content (RFC 5321, 4.5.2). */
const received = (sent: Buffer): string => sent.toString('latin1').replaceAll('\r\n.', '\r\n').replace(/^\./, '');

const text = fc
  .array(fc.constantFrom('.', '\n', '\r\n', 'a', '..', ' ', 'é'), { maxLength: 40 })
  .map((parts) => Buffer.from(parts.join(''), 'latin1'));

describe('escapeLines', () => {
  it.each([
    ['.\r\n', '..\r\n'],
    ['a\r\n.b\r\n..c\r\n', 'a\r\n..b\r\n...c\r\n'],
    ['a\n.\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a.b\r\n', 'a.b\r\n'],
    ['', ''],
  ])('sends %j as %j', (content, sent) => {
    expect(escapeLines(Buffer.from(content)).toString()).toBe(sent);
  });

  it('sends no line that is a dot alone, and what a server reads is the content with CRLF at each end of a line', () => {
    fc.assert(
      fc.property(text, (content) => {
        const sent = escapeLines(content);
        expect(sent.toString('latin1')).not.toMatch(/(^|\n)\.\r?(\n|$)/);
        expect(received(sent)).toBe(content.toString('latin1').replaceAll(/(?<!\r)\n/g, '\r\n'));
      }),
    );
  });

  it('sends the same bytes in two parts as in one', () => {
    fc.assert(
      fc.property(text, fc.nat(80), (content, at) => {
        const [before, part] = [content.subarray(0, at), content.subarray(at)];
        expect(Buffer.concat([escapeLines(before), escapeLines(part, before)])).toEqual(escapeLines(content));
      }),
    );
  });
});

describe('endOfContent', () => {
  it('puts the final dot on a line of its own', () => {
    expect(endOfContent(Buffer.from('a\r\n')).toString()).toBe('.\r\n');
    expect(endOfContent(Buffer.from('a')).toString()).toBe('\r\n.\r\n');
    expect(endOfContent(Buffer.alloc(0)).toString()).toBe('\r\n.\r\n');
  });
});
