import { DateTime } from 'luxon';
import { WEEKDAYS } from './date-words.js';
import { dayAwayAt } from './day-away.js';
import { type Candidate, dateAfter, MAX_FILLERS, skipFillers, words } from './following-date.js';
import { DAY_MARKS, readDate, tokensOf, type WrittenDate } from './written-date.js';

/** What is followed by the first day here. */
const BACK = words(
  'back return returning returns resume resuming retour reviens reviendrai reviendrons reprendrai reprendrons reprends reprise rentre rentrerai zurück zurueck rückkehr wieder ' +
    'vuelvo volveré volveremos vuelta regreso regresaré regresaremos retorno reincorporo reincorporaré incorporaré ' +
    'rientro rientrerò rientreremo ritorno tornerò torneremo terug volto voltarei voltaremos volta retornarei regresso regressarei ' +
    'tillbaka åter återkommer tilbage tilbake palaan palaamme takaisin wracam wrócę wracamy powrót vrátím vrátíme vracím návrat zpět zpátky',
);
/** Like {@link BACK}, unless it is negated: "available from", "not available from". */
const AVAILABLE = words(
  'available reachable disponible joignable erreichbar verfügbar disponibile beschikbaar bereikbaar disponível tillgänglig anträffbar tilgængelig tilgjengelig tavoitettavissa dostępny dostępna dostupný dostupná',
);
const AGAIN = words(
  'again nouveau wieder partir dès compter from on as ab nuevo desde nuovo dal weer vanaf novamente igen från fra igjen taas jälleen ponownie znowu opět znovu od',
);
/** What follows the first day here. */
const BACK_AFTER_DATE = words(
  'wieder zurück again available disponible joignable nouveau nuevo nuovo disponibile weer terug disponível novamente volta tillbaka åter tilbage tilbake igen igjen taas jälleen takaisin ponownie opět znovu zpět',
);
const NEGATIONS = words(
  'not t no pas nicht plus kein keine never non niet não inte ej ikke nie nebudu nejsem nevrátím',
);
const BACK_FILLERS = words(
  "in at to the my our a office work desk home on from by with again online around date is be will after before de du le la les au aux à partir dès prévu prévue est sera mon ma travail activité mes fonctions poste nouveau bureau compter avant en l d ' ’ : ( , am ab dem den der im büro ins da für sie haus meinem arbeitsplatz erreichbar verfügbar zum vor as of for pour full time business this next coming prochain kommenden nächsten " +
    'el del día oficina trabajo próximo nuevo estaré il ufficio lavoro dal previsto per prossimo op kantoor het werk weer vanaf ben ik ao no dia escritório trabalho em ' +
    'på kontoret jobbet jobb tjänst från och med igen fra og kontoret igjen töihin toimistolle töissä viimeistään taas do biura pracy w dniu dnia od się práce kanceláře v dne se na',
);
/** What is followed by the last day away. */
const UNTIL = words('until till til through thru bis jusqu ending hasta fino sino até tot do');
/** Those that also name a place: "tillbaka till kontoret den 5 januari". */
const TO = words('till til tot do');
const TO_FILLERS = words('the den dnia och og en med met w');
const UNTIL_FILLERS = words(
  "the and including inclusive inclusively inkl einschließlich to on le la au à compris inclus y zum , ( : ' ’ . this next coming kommenden nächsten den dem am el día il al ao dia och og med en met dnia w",
);
/** What stands before the first date of a range, and between both. */
const RANGE_START = words(
  'from du vom von between entre zwischen dates del desde dal tra van tussen de do från mellan fra mellem mellom od',
);
const RANGE_FILLERS = words("the le den dem : , l ' ’ el il día dia dnia");
const RANGE_SEPARATORS = words('to until till through thru - – — and au bis et al a y e ao tot en til och og do i');

const MAX_TOKENS = 1_500;
const NEGATION_DISTANCE = 8;

/**
 * Finds the day on which an absent person is here again, in English, French, German, Spanish, Italian, Dutch, Portuguese,
 * Swedish, Danish, Norwegian, Finnish, Polish or Czech.
 * @param sentOn the day on which the text was written, from which "Monday" and "the 5th" count
 * @returns the first day here as `YYYY-MM-DD`: "back on the 5th" is the 5th, "until the 5th" the 6th; null if there is no
 *   date, or none from `sentOn` to a year later. A day without a year is the next such day. Of the two days that 12/07 may
 *   be, it is the one with the weekday that is named, else the nearer one.
 */
export function returnDate(text: string, sentOn: DateTime): string | null {
  const tokens = tokensOf(withPlainUntil(text.slice(0, 10 * MAX_TOKENS))).slice(0, MAX_TOKENS);
  const today = DateTime.utc(sentOn.year, sentOn.month, sentOn.day);
  for (const find of [backAt, untilAt, untilAfterDateAt, rangeAt, datedBackAt, dayAwayAt]) {
    for (let index = 0; index < tokens.length; index += 1) {
      const candidate = find(tokens, index);
      const day = candidate && resolve(candidate, today);
      if (day) return day.toISODate();
    }
  }
  return null;
}

/** `t/m` is "tot en met" in Dutch, `t.o.m.` "till och med" in Swedish. */
const withPlainUntil = (text: string): string => text.replace(/(?<!\p{L})t(\/m|\.?o\.?m)(?!\p{L})\.?/giu, ' tot ');

/** "Back on the 5th", "not back until the 5th". */
function backAt(tokens: readonly string[], index: number): Candidate | undefined {
  const word = tokens[index] ?? '';
  const isAvailable = AVAILABLE.has(word);
  if (!BACK.has(word) && !isAvailable) return undefined;
  const found = dateAfter(tokens, index + 1, isAvailable ? BACK_FILLERS : BACK_OR_NOT_FILLERS);
  if (!found) return undefined;
  const between = tokens.slice(index + 1, found.start);
  if (isAvailable && (isNegated(tokens, index) || !between.some((token) => AGAIN.has(token)))) return undefined;
  if (!isNegated(tokens, index) && hasUntil(between)) return undefined;
  return { date: found.read.date, is_last_day_away: false };
}

const BACK_OR_NOT_FILLERS: ReadonlySet<string> = new Set([...BACK_FILLERS, ...UNTIL]);

const hasUntil = (between: readonly string[]): boolean =>
  between.some(
    (token, index) =>
      UNTIL.has(token) && (!TO.has(token) || between.slice(index + 1).every((next) => TO_FILLERS.has(next))),
  );

/** "Until the 5th", but not the "Monday to Friday" of office hours. */
function untilAt(tokens: readonly string[], index: number): Candidate | undefined {
  const word = tokens[index] ?? '';
  // "Do dia 3 ao dia 14" begins a range in Portuguese.
  if (!UNTIL.has(word) || (word === 'do' && tokens[index + 1] === 'dia')) return undefined;
  const found = dateAfter(tokens, index + 1, UNTIL_FILLERS);
  if (!found) return undefined;
  const isOfficeHours =
    found.read.date.kind === 'weekday' && (WEEKDAYS.has(tokens[index - 1] ?? '') || word.startsWith('thr'));
  return isOfficeHours ? undefined : { date: found.read.date, is_last_day_away: true };
}

/** "5. tammikuuta asti", "perjantaihin saakka". */
function untilAfterDateAt(tokens: readonly string[], index: number): Candidate | undefined {
  const read = readDate(tokens, index);
  if (!read || !/^(asti|saakka)$/.test(tokens[skipFillers(tokens, read.next, words('. ,'))] ?? '')) return undefined;
  return { date: read.date, is_last_day_away: true };
}

/** "From 3 to 14 August", "du 3 au 14 août", "August 3-14". */
function rangeAt(tokens: readonly string[], index: number): Candidate | undefined {
  const isMarked = RANGE_START.has(tokens[index] ?? '');
  const start = isMarked ? skipFillers(tokens, index + 1, RANGE_FILLERS) : index;
  const first = readDate(tokens, start, true);
  if (first?.date.kind !== 'day') return undefined;
  const separator = skipFillers(tokens, first.next, words('. ,'));
  if (!RANGE_SEPARATORS.has(tokens[separator] ?? '')) return undefined;
  const end = skipFillers(tokens, separator + 1, RANGE_FILLERS);
  const last = readDate(tokens, end, isMarked || first.date.month !== undefined);
  if (last?.date.kind !== 'day') return undefined;
  const month = last.date.month ?? first.date.month;
  // "From 9 to 5" are hours, "from the 9th to the 15th" days.
  if (month === undefined && !(isMarked && DAY_MARKS.has(tokens[start - 1] ?? ''))) return undefined;
  return { date: { ...last.date, month }, is_last_day_away: true };
}

/** "Ab dem 5. Januar bin ich wieder erreichbar", "à partir du 5 janvier, je serai de nouveau joignable". */
function datedBackAt(tokens: readonly string[], index: number): Candidate | undefined {
  if (!DATE_BEFORE.test(tokens[index] ?? '')) return undefined;
  const found = dateAfter(tokens, index + 1, BACK_FILLERS);
  if (!found) return undefined;
  for (const token of tokens.slice(found.read.next, found.read.next + MAX_FILLERS)) {
    if (NEGATIONS.has(token) || /^(from|ab|dès|partir)$/.test(token)) return undefined;
    if (BACK_AFTER_DATE.has(token)) return { date: found.read.date, is_last_day_away: false };
  }
  return undefined;
}

const DATE_BEFORE = /^(from|on|ab|am|dès|partir|desde|el|dal|il|vanaf|op|från|fra|den|od)$/;

function isNegated(tokens: readonly string[], index: number): boolean {
  return tokens.slice(Math.max(0, index - NEGATION_DISTANCE), index).some((token) => NEGATIONS.has(token));
}

/** Returns the first day here, or undefined if it is not within a year. */
function resolve({ date, is_last_day_away: isLastDayAway }: Candidate, today: DateTime): DateTime | undefined {
  const day = dayOf(date, today, isLastDayAway);
  if (!day?.isValid || day < today || day > today.plus({ years: 1 })) return undefined;
  return isLastDayAway ? day.plus({ days: 1 }) : day;
}

function dayOf(date: WrittenDate, today: DateTime, isLastDayAway: boolean): DateTime | undefined {
  switch (date.kind) {
    case 'day':
      return nearestDay(date, today);
    case 'weekday': {
      const days = (date.weekday - today.weekday + 7) % 7;
      // Who writes on a Monday to be back on Monday means the next one.
      return today.plus({ days: days === 0 && !isLastDayAway ? 7 : days });
    }
    case 'days ahead':
      return today.plus({ days: date.days });
    case 'next week':
      return today.plus({ days: 8 - today.weekday + (isLastDayAway ? 6 : 0) });
    case 'month end':
      return endOfNext(date.month, today);
    default:
      return date satisfies never;
  }
}

/** Returns the last day of the next month with this number. */
function endOfNext(month: number, today: DateTime): DateTime {
  const end = today.set({ day: 1, month }).endOf('month').startOf('day');
  return end < today ? end.plus({ years: 1 }).endOf('month').startOf('day') : end;
}

/** Returns the nearest day that a date may be, from today. */
function nearestDay(date: DayDate, today: DateTime): DateTime | undefined {
  const { day, month } = date;
  const readings = date.is_ambiguous && month !== undefined ? [date, { ...date, day: month, month: day }] : [date];
  const days = readings.flatMap((reading) => nextDay(reading, today) ?? []).filter((found) => found >= today);
  const named = days.filter((found) => found.weekday === date.weekday);
  return DateTime.min(...(named.length > 0 ? named : days));
}

type DayDate = Extract<WrittenDate, { kind: 'day' }>;

/** Returns the day with this number, in the month and year if they are named, that is the next one. */
function nextDay(date: DayDate, today: DateTime): DateTime | undefined {
  const { day, month, year } = date;
  if (year !== undefined) return DateTime.utc(year, month ?? today.month, day);
  for (let months = 0; months <= 12; months += 1) {
    const first = today.startOf('month').plus({ months });
    if (month !== undefined && first.month !== month) continue;
    if (day > (first.daysInMonth ?? 0)) continue;
    const found = first.set({ day });
    if (found >= today) return found;
  }
  return undefined;
}
