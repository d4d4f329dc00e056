/** The line that introduces a quotation: `On Monday, Ann wrote:`. */
export interface Attribution {
  /** How many lines it takes. */
  readonly lines: number;
  /** Whether it introduces a quotation also if the lines after it are not marked with `>`. */
  readonly is_certain: boolean;
}

/** Programs break the line that introduces a quotation into so many. */
const MAX_LINES = 4;
const MAX_LENGTH = 500;

const END = /[:：] ?[-–—]{0,5}$/;
/** The first words of attributions in the languages of mail programs. */
const BEGINNING =
  /^[-–—* ]{0,5}(on|le|am|el|il|em|op|den|dnia|w dniu|dne|dňa|în|pe|στις|на|vào|pada|in data)(?!\p{L})/iu;
const VERB =
  /wrote|écrit|ecrit|schrieb|escribió|escrigué|va escriure|scritto|escreveu|schreef|geschreven|skrev|napisał|pisze|kirjoitti|napsal|napísal|написал|пишет|писал|написав|пише|написа|napisao|napisal|je pisal|yazdı|έγραψε|írta|a scris|menulis|đã viết|כתב|كتب|เขียน|写道|寫道|のメッセージ|書きました|작성|님이/iu;
/** A sentence that a person writes has no time, year or address. */
const DATE_OR_ADDRESS = /@|(?<!\d)20\d\d(?!\d)|(?<![\d./-])\d{1,2} ?[:h.] ?\d\d(?!\d)/;
const YEAR = /(?<!\d)20\d\d(?!\d)/;
const TIME = /(?<![\d./-])\d{1,2} ?[:.h] ?\d\d(?![\d./-])/;
const ADDRESS = /[<([]{1,2}(mailto:)?[^<>()[\]@\s]{1,64}@[^<>()[\]@\s]{1,255}[>)\]]/;
/** A day with its year: `21.11.2026`, `2026年11月21日`, `21 нояб. 2026`, `Nov 21, 2026`, `21.11.26`. */
const DAY =
  /(?<!\d)\d{1,2}[./-]\d{1,2}[./-](20)?\d\d(?!\d)|(?<![\d:.])\d{1,2}(?![\d:]|\.\d).{0,20}?(?<!\d)20\d\d(?!\d)|(?<!\d)20\d\d([./-]\d{1,2}[./-]|.{1,16}?(?<![\d:.h]))\d{1,2}(?![\d:h]|\.\d\d(?!\d))/;
/** `Ann <ann@x.example> wrote:` */
const NAMED = /^[^:<>]{0,200}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>[^<>]{0,200}$/;
const NAMED_FIRST = /^\S.{0,200} (wrote|schrieb|a écrit) (on|am|le) /i;
/** `2026-11-21 9:31 GMT+01:00 Ann <ann@x.example>:`, `сб, 21 нояб. 2026 г. в 09:31, Ann <ann@x.example>:` */
const DATED_NAME = /^.{0,20}\d.{0,200}<[^<>\s]{3,300}>:$/;
/** The first of two lines: `Ann <ann@x.example>` */
const NAME_ALONE = /^[^.!?:]{0,80}<[^<>@\s]{1,64}@[^<>@\s]{1,255}>,?$/;
/** `Ann wrote:` */
const SHORT = /^\S.{0,80}$/;

/**
 * Returns the attribution that begins at a line, in any language: it ends with a colon and has a verb that is known, or
 * the date and the address of a mail. @returns undefined if none begins there; an answer above it is no part of it
 */
export function attributionAt(lines: readonly string[], index: number): Attribution | undefined {
  const parts: string[] = [];
  let length = 0;
  for (let count = 1; count <= MAX_LINES; count += 1) {
    const line = lines[index + count - 1]?.trim() ?? '';
    length += line.length + 1;
    if (line === '' || isQuoted(line) || length > MAX_LENGTH) return undefined;
    parts.push(line);
    if (!END.test(line)) continue;
    const start = startOf(parts);
    if (start === undefined) continue;
    return start === 0 ? { lines: count, is_certain: isCertain(parts.join(' ')) } : undefined;
  }
  return undefined;
}

/** Returns whether a line is marked as quoted. */
export const isQuoted = (line: string): boolean => /^ {0,3}[>›»]/.test(line);

/**
 * Returns at which of some lines the attribution begins that ends with the last one: the last line from which it has a
 * day, so that a sentence above it is no part of it, else the last from which it begins like one.
 */
function startOf(parts: readonly string[]): number | undefined {
  let found: number | undefined;
  let best = 0;
  for (let start = 0; start < parts.length; start += 1) {
    const text = parts.slice(start).join(' ');
    const rank = isAttribution(text) ? rankOf(text) : 0;
    if (rank > 0 && rank >= best) [best, found] = [rank, start];
  }
  return found !== undefined && found > 0 && NAME_ALONE.test(parts[found - 1] ?? '') ? found - 1 : found;
}

function rankOf(text: string): number {
  if (DAY.test(text)) return 3;
  return BEGINNING.test(text) && /\d/.test(text) ? 2 : 1;
}

const isAttribution = (text: string): boolean =>
  isCertain(text) || isDated(text) || (SHORT.test(text) && VERB.test(text));

const isDated = (text: string): boolean =>
  (DAY.test(text) && (ADDRESS.test(text) || TIME.test(text))) || (VERB.test(text) && DATE_OR_ADDRESS.test(text));

function isCertain(text: string): boolean {
  if (!DATE_OR_ADDRESS.test(text)) return false;
  if (VERB.test(text) && (BEGINNING.test(text) || NAMED.test(text) || NAMED_FIRST.test(text))) return true;
  if (!DAY.test(text)) return false;
  return (VERB.test(text) && ADDRESS.test(text) && TIME.test(text)) || (YEAR.test(text) && DATED_NAME.test(text));
}
