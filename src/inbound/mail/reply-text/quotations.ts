import { isMailHeader } from './quoted-header.js';
import { END_OF_REPLY, QUOTE_HEADER } from './markers.js';

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
    if (line.startsWith(END_OF_REPLY) || isMailHeader(lines, index)) break;
    const headerLength = quoteHeaderLength(lines, index);
    if (headerLength === 0) remaining.push(line);
    else if (isQuoted(lineAfter(lines, index + headerLength))) index += headerLength - 1;
    else break;
  }
  return remaining.join('\n');
}

const isQuoted = (line: string): boolean => /^ {0,3}[>›»]/.test(line);

/** A program may write a separator, and then a line with the date and the name. */
const MAX_HEADERS = 3;

/** Returns the next line with text. A further line that introduces a quotation is part of the introduction. */
function lineAfter(lines: readonly string[], from: number): string {
  let index = from;
  for (let count = 0; count < MAX_HEADERS; count += 1) {
    while (index < lines.length && lines[index]?.trim() === '') index += 1;
    const length = index < lines.length ? quoteHeaderLength(lines, index) : 0;
    if (length === 0) break;
    index += length;
  }
  return lines[index] ?? '';
}

/** Programs break the line that introduces a quotation into so many. */
const MAX_HEADER_LINES = 4;
const MAX_HEADER_LENGTH = 500;

/** Returns how many lines introduce a quotation at this index: 0 if none do. */
function quoteHeaderLength(lines: readonly string[], index: number): number {
  const first = lines[index]?.trim() ?? '';
  if (first.startsWith(QUOTE_HEADER) || isSeparator(first)) return 1;
  if (first === '' || first.length > MAX_HEADER_LENGTH) return 0;
  let joined = '';
  for (let count = 1; count <= MAX_HEADER_LINES; count += 1) {
    const next = lines[index + count - 1]?.trim() ?? '';
    if (next === '' || isQuoted(next)) return 0;
    joined = `${joined} ${next}`.trim();
    if (joined.length > MAX_HEADER_LENGTH) return 0;
    if (isAttribution(joined)) return count;
  }
  return 0;
}

/** `-----Original Message-----`, `---------- Forwarded message ---------` and what programs of other languages write. */
const SEPARATOR =
  /^[-‐–—_*=]{2,20} ?(original message|original appointment|forwarded message|begin forwarded message|message d['’]origine|message original|message transféré|message initial|courriel original|e-mail d['’]origine|ursprüngliche (nachricht|mail)|original-?nachricht|originalnachricht|weitergeleitete (nachricht|mail)|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|reply message|reply above this line) ?[-‐–—_*=]{0,20}$/i;
const FORWARD =
  /^(begin forwarded message|début du message (réexpédié|transféré)|anfang der weitergeleiteten (nachricht|e-mail)) ?:$/i;

const isSeparator = (line: string): boolean => line.length < 100 && (SEPARATOR.test(line) || FORWARD.test(line));

/** The first words and the verbs of `On Monday, Ann wrote:` in the languages of mail programs. */
const BEGINNING = /^[-–—* ]{0,5}(on|le|am|el|il|em|op|den|dnia|w dniu)\b/i;
const VERB =
  /(wrote|écrit|ecrit|schrieb|escribió|scritto|escreveu|schreef|skrev|napisał|napisał\(a\)|pisze|kirjoitti|geschreven)/i;
/** A sentence that a person writes has no time, year or address. */
const DATE_OR_ADDRESS = /@|\b20\d\d\b|\b\d{1,2} ?[:h.] ?\d\d\b/;
/** `Ann <ann@x.example> wrote:`, `2026-11-21 9:31 GMT+01:00 Ann <ann@x.example>:` */
const NAMED = /^[^:<>]{0,200}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>[^<>]{0,200}$/;

function isAttribution(line: string): boolean {
  if (!/[:：] ?[-–—]{0,5}$/.test(line) || !DATE_OR_ADDRESS.test(line)) return false;
  if (VERB.test(line))
    return BEGINNING.test(line) || NAMED.test(line) || /^\S.{0,200} (wrote|schrieb|a écrit) (on|am|le) /i.test(line);
  return /^20\d\d[-/.]\d\d?[-/.]\d\d? .{0,200}<[^<>\s]{3,300}>:$/.test(line);
}
