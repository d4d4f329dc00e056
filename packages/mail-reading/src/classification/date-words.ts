/** The names of months and weekdays in English, French and German, with their abbreviations and in other spellings. */
const MONTH_NAMES: readonly string[] = [
  'january jan janvier janv januar jänner',
  'february feb février fevrier févr fév fev februar',
  'march mar mars märz maerz mrz',
  'april apr avril avr',
  'may mai',
  'june jun juin juni',
  'july jul juillet juil juli',
  'august aug août aout',
  'september sep sept septembre',
  'october oct octobre oktober okt',
  'november nov novembre',
  'december dec décembre decembre déc dezember dez',
];
const WEEKDAY_NAMES: readonly string[] = [
  'monday mon lundi montag',
  'tuesday tue tues mardi dienstag',
  'wednesday wed mercredi mittwoch',
  'thursday thu thur thurs jeudi donnerstag',
  'friday fri vendredi freitag',
  'saturday sat samedi samstag sonnabend',
  'sunday sun dimanche sonntag',
];

const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.flatMap((line, index) => line.split(' ').map((name) => [name, index + 1] as const)));

/** Other languages, whose names are those of Unicode CLDR. */
const LANGUAGES: readonly string[] = ['es', 'it', 'nl', 'pt', 'sv', 'da', 'nb', 'fi', 'pl', 'cs'];
/** What weekdays are after a preposition in Polish, Czech and Finnish. */
const INFLECTED_WEEKDAYS: readonly string[] = [
  'poniedziałku pondělka maanantaina maanantaihin',
  'wtorku úterka tiistaina tiistaihin',
  'środę środy středu středy keskiviikkona keskiviikkoon',
  'czwartku čtvrtka torstaina torstaihin',
  'piątku pátku perjantaina perjantaihin',
  'sobotę soboty sobotu lauantaina lauantaihin',
  'niedzielę niedzieli neděli sunnuntaina sunnuntaihin',
];
/** Abbreviations of months that are other words of one of the languages. */
const NO_MONTHS: ReadonlySet<string> = new Set('out set ago pro led des sie mag'.split(' '));

const MONTH_FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'long', day: 'numeric' },
  { month: 'short' },
];

/** The names of months, also as they are after a day, and their abbreviations. */
const monthNames = (language: string): [string, number][] =>
  Array.from({ length: 12 }, (_, month) => month).flatMap((month) =>
    MONTH_FORMS.flatMap((form) =>
      nameIn(language, form, Date.UTC(2026, month, 5), 'month').map((name): [string, number] => [name, month + 1]),
    ),
  );

/** 1 June 2026 is a Monday. */
const weekdayNames = (language: string): [string, number][] =>
  [1, 2, 3, 4, 5, 6, 7].flatMap((day) =>
    nameIn(language, { weekday: 'long' }, Date.UTC(2026, 5, day), 'weekday').map((name): [string, number] => [
      name,
      day,
    ]),
  );

/** Returns the first word of a name in lower case, if it is one: `segunda` of `segunda-feira`. */
function nameIn(
  language: string,
  options: Intl.DateTimeFormatOptions,
  date: number,
  type: 'month' | 'weekday',
): string[] {
  const parts = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).formatToParts(date);
  const [name = ''] = /\p{L}+/u.exec(parts.find((part) => part.type === type)?.value ?? '') ?? [];
  return name.length < 3 || NO_MONTHS.has(name) ? [] : [name.normalize('NFC').toLowerCase()];
}

/** Names in lower case → 1 to 12. */
export const MONTHS: ReadonlyMap<string, number> = new Map([
  ...LANGUAGES.flatMap(monthNames),
  ...numbered(MONTH_NAMES),
]);
/** Names in lower case → 1 to 7, Monday first. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...LANGUAGES.flatMap(weekdayNames),
  ...numbered(INFLECTED_WEEKDAYS),
  ...numbered(WEEKDAY_NAMES),
]);

const COUNT_NAMES: readonly string[] = [
  'a an one un une ein eine einem einer',
  'two deux zwei',
  'three trois drei',
  'four quatre vier',
  'five cinq fünf',
  'six sechs',
];
/** Numbers that are written as words → 1 to 6. */
export const COUNTS = numbered(COUNT_NAMES);
/** Names of periods → their days. */
export const DAYS_OF: ReadonlyMap<string, number> = new Map([
  ...'day days jour jours tag tage tagen'.split(' ').map((name) => [name, 1] as const),
  ...'week weeks semaine semaines woche wochen'.split(' ').map((name) => [name, 7] as const),
]);
