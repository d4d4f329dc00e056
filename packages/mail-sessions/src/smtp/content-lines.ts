const LF = 10;

const FINAL_DOT = Buffer.from('.\r\n');
const LINE_BREAK_AND_FINAL_DOT = Buffer.from('\r\n.\r\n');

/** Returns what follows a content: the final dot, on a line of its own. */
export const endOfContent = (content: Buffer): Buffer => (content.at(-1) === LF ? FINAL_DOT : LINE_BREAK_AND_FINAL_DOT);

/**
 * Returns a part of a message as it is sent: a dot at the beginning of a line is doubled (RFC 5321, 4.5.2), and a line
 * that ends with LF alone ends with CRLF, because servers disagree about where such a line ends.
 * @param before the part that was sent before this one
 */
export function escapeLines(part: Buffer, before: Buffer = NOTHING): Buffer {
  const text = `${String.fromCharCode(before.at(-1) ?? LF)}${part.toString('latin1')}`;
  const lines = LF_ALONE.test(text) ? text.replaceAll(/(?<=[^\r])\n/g, '\r\n') : text;
  const escaped = lines.includes('\n.') ? lines.replaceAll('\n.', '\n..') : lines;
  return escaped === text ? part : Buffer.from(escaped.slice(1), 'latin1');
}

const NOTHING = Buffer.alloc(0);

const LF_ALONE = /[^\r]\n/;
