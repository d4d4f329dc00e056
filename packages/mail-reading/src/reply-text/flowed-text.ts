/** What the Content-Type of a text says about its lines (RFC 3676, 4). */
export interface TextFlow {
  /** `DelSp=yes`: the space before a soft line break belongs to the break, and not to the text. */
  readonly deletes_spaces: boolean;
}

/** The parameters of a Content-Type, in its line or in one that continues it. */
const FLOWED = /^(content-type:[^\r\n]{0,500}|[ \t][^\r\n]{0,500})\b(format ?= ?"?)flowed\b/gim;
const DELETES_SPACES = /^(content-type:[^\r\n]{0,500}|[ \t][^\r\n]{0,500})\bdelsp ?= ?"?yes\b/im;

/**
 * Takes the parameter `format=flowed` from a mail. The parser of mails joins flowed lines without regard to their quote
 * depth, so it must not see the parameter; {@link joinFlowedLines} joins them instead.
 * @returns the mail with fixed lines, and how its lines flow; undefined if they do not
 */
export function withFixedLines(raw: Buffer): { readonly raw: Buffer; readonly flow: TextFlow | undefined } {
  const mail = raw.toString('latin1');
  const fixed = mail.replace(FLOWED, '$1$2fixed');
  if (fixed === mail) return { raw, flow: undefined };
  return { raw: Buffer.from(fixed, 'latin1'), flow: { deletes_spaces: DELETES_SPACES.test(mail) } };
}

interface Paragraph {
  readonly depth: number;
  readonly pieces: string[];
}

const SIGNATURE_SEPARATOR = '-- ';

/** Joins the lines of a flowed text. Lines of different quote depth are never joined (RFC 3676, 4.5). */
export function joinFlowedLines(text: string, { deletes_spaces: deletesSpaces }: TextFlow): string {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | undefined;
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    // A space at the beginning is stuffed (RFC 3676, 4.4).
    const content = line.slice(depth).replace(/^ /, '');
    const isSoft = content.endsWith(' ') && content !== SIGNATURE_SEPARATOR;
    const piece = isSoft && deletesSpaces ? content.slice(0, -1) : content;
    if (open?.depth === depth && content !== SIGNATURE_SEPARATOR) open.pieces.push(piece);
    else {
      open = { depth, pieces: [piece] };
      paragraphs.push(open);
    }
    if (!isSoft) open = undefined;
  }
  return paragraphs.map(({ depth, pieces }) => (depth > 0 ? `${'>'.repeat(depth)} ` : '') + pieces.join('')).join('\n');
}
