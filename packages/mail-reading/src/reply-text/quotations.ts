import { attributionAt, isQuoted } from './attribution.js';
import { END_OF_REPLY, QUOTE_HEADER } from './markers.js';
import { isMailHeader } from './quoted-header.js';

/**
 * Removes the mails that a reply quotes: lines that begin with `>` with the line that introduces them, wherever they
 * are, and everything after the header of a mail that is quoted without `>`. Takes time that is linear in the text.
 */
export function withoutQuotations(text: string): string {
  const lines = text.split('\n');
  const remaining: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isQuoted(line)) continue;
    if (line.startsWith(END_OF_REPLY) || isMailHeader(lines, headerStart(lines, index))) break;
    const introduction = introductionAt(lines, index);
    if (introduction && isQuoted(lineAfter(lines, index + introduction.lines))) index += introduction.lines - 1;
    else if (introduction?.is_certain) break;
    else remaining.push(line);
  }
  return remaining.join('\n');
}

/** A program may write a separator, and then a line with the date and the name. */
const MAX_HEADERS = 3;

/** Returns the next line with text. A further line that introduces a quotation is part of the introduction. */
function lineAfter(lines: readonly string[], from: number): string {
  let index = from;
  for (let count = 0; count < MAX_HEADERS; count += 1) {
    index = nextWithText(lines, index);
    const introduction = introductionAt(lines, index);
    if (!introduction) break;
    index += introduction.lines;
  }
  return lines[index] ?? '';
}

function nextWithText(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && lines[index]?.trim() === '') index += 1;
  return index;
}

function introductionAt(lines: readonly string[], index: number): ReturnType<typeof attributionAt> {
  const line = lines[index]?.trim() ?? '';
  if (line.startsWith(QUOTE_HEADER) || isSeparator(line)) return { lines: 1, is_certain: true };
  return attributionAt(lines, index);
}

/** `-----Original Message-----`, `---------- Forwarded message ---------` and what programs of other languages write. */
const SEPARATOR =
  /^[-‐–—_*=]{2,20} ?(original message|original appointment|forwarded message|begin forwarded message|message d['’]origine|message original|message transféré|message initial|courriel original|e-mail d['’]origine|ursprüngliche (nachricht|mail)|original-?nachricht|originalnachricht|weitergeleitete (nachricht|mail)|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|reply message|reply above this line) ?[-‐–—_*=]{0,20}$/i;
const FORWARD =
  /^(begin forwarded message|début du message (réexpédié|transféré)|anfang der weitergeleiteten (nachricht|e-mail)) ?:$/i;

const isSeparator = (line: string): boolean => line.length < 100 && (SEPARATOR.test(line) || FORWARD.test(line));

/** `________________________________`, `-------- Исходное сообщение --------`, `Original Message` */
const RULE =
  /^([-‐–—_*=]{2,60}( ?[^-‐–—_*=]{1,50}[-‐–—_*=]{2,60})?|(original|forwarded) message|message d['’]origine|ursprüngliche nachricht|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)$/i;

/** Returns where the header of a quoted mail would begin: after a line that separates it from the reply, if this is one. */
function headerStart(lines: readonly string[], index: number): number {
  const line = lines[index]?.trim() ?? '';
  return line.length < 100 && RULE.test(line) ? nextWithText(lines, index + 1) : index;
}
