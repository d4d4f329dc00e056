import { type Candidate, dateAfter, skipFillers, words } from './following-date.js';
import { readDate, type WrittenDate } from './written-date.js';

/** Says that a person is away, also after a form of "to be" or a preposition that the rest of the list needs. */
const AWAY = words('away absent absente absents absentes abwesend unavailable urlaub dienstreise');
const AWAY_AFTER: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['out', words("am m be is are re i'm also")],
  ['off', words('am m be is are re day')],
  ['leave', words('on annual parental sick')],
  ['holiday', words('on public')],
  ['vacation', words('on')],
  ['congé', words('en')],
  ['congés', words('en')],
  ['vacances', words('en')],
  ['déplacement', words('en')],
]);
/** With a negation before it, the same. */
const HERE = words(
  'available reachable working office disponible joignable bureau là erreichbar verfügbar büro da haus',
);
const NEGATIONS = words('not t no nicht pas');
const NEGATION_DISTANCE = 4;

/** What stands between it and the day: not "from" or "since", after which the end is unknown. */
const FILLERS = words(
  "of the office in on all day this coming next ce cet cette le la bureau du au toute journée de en am an den dem im büro ganz ganzen tag nur only just diesen kommenden : , - ( ' ’ and travail work",
);
/** What stands between the day and it. */
const FILLERS_AFTER_DAY = words(
  "i am m we are re will be is bin ich wir sind je j suis serai sera nous ganztägig leider unfortunately malheureusement en on not nicht ne pas the in im am au out of annual all day ' ’ , : also",
);
const ANOTHER_DAY = words('and et und & ,');
const RANGE = words('to until till through thru - – — au bis from');
const BEFORE_START = words('du from since seit depuis');
const PAST = words('was were war été');

/** "I am out today", "absent vendredi", "am Freitag nicht im Büro": the last day away. */
export function dayAwayAt(tokens: readonly string[], index: number): Candidate | undefined {
  const date = isAway(tokens, index) ? dayAfter(tokens, index) : dayBefore(tokens, index);
  return date && { date, is_last_day_away: true };
}

function isAway(tokens: readonly string[], index: number): boolean {
  const [word, before] = [tokens[index] ?? '', tokens[index - 1] ?? ''];
  const recent = tokens.slice(Math.max(0, index - NEGATION_DISTANCE), index);
  if (recent.some((token) => PAST.has(token))) return false;
  if (HERE.has(word)) return recent.some((token) => NEGATIONS.has(token));
  if (AWAY.has(word)) return !recent.some((token) => NEGATIONS.has(token));
  if (word === 'out' && tokens[index + 1] === 'of' && /^(the|office)$/.test(tokens[index + 2] ?? '')) return true;
  return AWAY_AFTER.get(word)?.has(before) ?? false;
}

/** The day after "away"; the last one of several. */
function dayAfter(tokens: readonly string[], index: number): WrittenDate | undefined {
  const found = dateAfter(tokens, index + 1, FILLERS);
  if (!found || BEFORE_START.has(tokens[found.start - 1] ?? '')) return undefined;
  return lastDay(tokens, found.read);
}

/** The day before "away", unless a period begins with it. */
function dayBefore(tokens: readonly string[], index: number): WrittenDate | undefined {
  if (BEFORE_START.has(tokens[index - 1] ?? '') || /^(ab|vom|dès|partir|until|bis)$/.test(tokens[index - 1] ?? ''))
    return undefined;
  const read = readDate(tokens, index);
  if (!read) return undefined;
  const last = skipFillers(tokens, read.next, FILLERS_AFTER_DAY);
  for (let at = read.next; at <= last; at += 1) if (isAway(tokens, at)) return read.date;
  return undefined;
}

function lastDay(
  tokens: readonly string[],
  { date, next }: { date: WrittenDate; next: number },
): WrittenDate | undefined {
  if (RANGE.has(tokens[next] ?? '')) return undefined;
  if (!ANOTHER_DAY.has(tokens[next] ?? '')) return date;
  const another = dateAfter(tokens, next + 1, FILLERS);
  return another && another.start - next <= 3 ? lastDay(tokens, another.read) : date;
}
