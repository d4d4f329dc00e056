import {
  CLOSING_LINE,
  GREETING_LINE,
  LEADING_WORDS,
  POLITE_QUESTION,
  REFUSALS,
  TRAILING_WORDS,
  UNSUBSCRIBE_REQUESTS,
} from './unsubscribe-words.js';

const REQUEST = new RegExp(
  `^((${LEADING_WORDS}|${REFUSALS}) ){0,8}(${UNSUBSCRIBE_REQUESTS.join('|')})( (${TRAILING_WORDS})){0,4}$`,
);
/** What is polite, or refuses the offer. */
const FORMULA = new RegExp(`^(${TRAILING_WORDS}|${REFUSALS})( (${TRAILING_WORDS})){0,4}$`);
/** A name, alone in its line. */
const NAME = /^(\p{Lu}[\p{L}.'’-]{0,30}[ ,]{0,2}){1,5}$/u;
/** `Hi Ann, please …` */
const SALUTATION =
  /^(hi|hello|hey|dear|bonjour|hallo|hola|buongiorno|ciao|beste|ol[áa])(?!\p{L})[^,.!?\n]{0,40}[,!]\s*/iu;

/** How long a text may be with its signature, which may have a disclaimer. */
const MAX_LENGTH = 3_000;
/** A longer content says more than that. */
const MAX_CONTENT_LENGTH = 500;
const MAX_SENTENCE_LENGTH = 160;
const MAX_SIGNATURE_LINES = 12;

/**
 * Returns whether the new text of a reply asks for nothing but to be unsubscribed, in English, French, German, Spanish,
 * Italian, Dutch or Portuguese. A greeting, thanks and a signature may stand around the request.
 */
export function asksToUnsubscribe(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const lines = text
    .replace(SALUTATION, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const content = lines.slice(0, signatureStart(lines));
  if (lines.length - content.length > MAX_SIGNATURE_LINES || content.join(' ').length > MAX_CONTENT_LENGTH)
    return false;
  // A sentence may go on in the next line, or a line may have no end.
  return [content.join(' '), content.join('.\n')].some((joined) => isRequest(joined.split(/(?<=[.!?])\s+/)));
}

/** At least one sentence is the request, and the others are polite. */
function isRequest(sentences: readonly string[]): boolean {
  const others = sentences.filter((sentence) => !isFormula(folded(sentence)));
  return others.length > 0 && others.every(isRequestSentence);
}

function isRequestSentence(sentence: string): boolean {
  const text = folded(sentence);
  if (text.length > MAX_SENTENCE_LENGTH || !REQUEST.test(text)) return false;
  return !sentence.includes('?') || POLITE_QUESTION.test(text);
}

const isFormula = (text: string): boolean =>
  text === '' || GREETING_LINE.test(text) || FORMULA.test(text) || CLOSING_LINE.test(text);

/** Returns the index of the first line of a signature: a closing line, or a name after the request. */
function signatureStart(lines: readonly string[]): number {
  const start = lines.findIndex((line, index) => {
    const text = folded(line);
    const isName = index > 0 && NAME.test(line) && !isFormula(text) && !REQUEST.test(text);
    return index > 0 && (isName || CLOSING_LINE.test(text));
  });
  return start > 0 ? start : lines.length;
}

/** `Désabonnez-moi !` → `desabonnez moi` */
const folded = (text: string): string =>
  text
    .slice(0, MAX_CONTENT_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
