/** The names of months and weekdays in English, French and German, with their abbreviations. */
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

/** Names in lower case → 1 to 12. */
export const MONTHS = numbered(MONTH_NAMES);
/** Names in lower case → 1 to 7, Monday first. */
export const WEEKDAYS = numbered(WEEKDAY_NAMES);

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
