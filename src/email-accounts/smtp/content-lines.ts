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
  const previous = String.fromCharCode(before.at(-1) ?? LF);
  const text = `${previous}${part.toString('latin1')}`;
  if (!TO_ESCAPE.test(text)) return part;
  const escaped = text.replaceAll(/(?<=[^\r])\n/g, '\r\n').replaceAll('\n.', '\n..');
  return Buffer.from(escaped.slice(1), 'latin1');
}

const NOTHING = Buffer.alloc(0);

/** LF without CR, or a dot at the beginning of a line. */
const TO_ESCAPE = /[^\r]\n|\n\./;
