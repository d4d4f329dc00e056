/**
 * The beginnings of the subjects that mail programs give to automatic replies, which may have no other mark: Exchange and
 * Outlook in their languages, Gmail, Notes, GroupWise, and the mail servers of providers.
 */
const AUTOMATIC_BEGINNINGS: readonly string[] = [
  // English
  'auto(matic|mated)?[ -]?(reply|response|respond(er)?|answer)',
  // French, Italian, Spanish, Catalan, Portuguese, Romanian
  'réponse automatique',
  'reponse automatique',
  'auto-? ?r[ée]ponse',
  'message automatique',
  'risposta automatica',
  'respuesta autom[áa]tica',
  'resposta autom[áàa]tica',
  'răspuns automat',
  'raspuns automat',
  // German, Dutch
  'automatische (antwort|reply|abwesenheit\\p{L}*)',
  'auto[- ]?antwort',
  'eingangsbestätigung',
  'automatische? (antwoord|reactie)',
  // Swedish, Danish, Norwegian, Finnish, Estonian, Icelandic
  'auto(matiskt? )?svar',
  'automatiskt meddelande',
  'automaattinen vastaus',
  'automaattivastaus',
  'automaatvastus',
  'sjálfvirkt svar',
  // Polish, Czech, Slovak, Croatian, Slovenian, Hungarian, Lithuanian, Latvian
  'automatyczna odpowied[źz]',
  'odpowied[źz] automatyczna',
  'autoodpowied[źz]',
  'automatick[áa] odpov[ěe][ďd]',
  'automatick[áa] odpove[ďd]',
  'automatski odgovor',
  'samodejni odgovor',
  'automatikus v[áa]lasz',
  'automatinis atsakymas',
  'automātiskā atbilde',
  // Turkish, Vietnamese, Indonesian
  'otomatik (yanıt|yanit|cevap)',
  '(thư )?trả lời tự động',
  'balasan otomatis',
  // Russian, Ukrainian, Bulgarian, Greek
  'автоматический ответ',
  'авто-?ответ',
  'автоматична відповідь',
  'авто-?відповідь',
  'автоматичен отговор',
  'αυτόματη απάντηση',
  // Hebrew, Arabic, Thai
  'תשובה אוטומטית',
  'מענה אוטומטי',
  '(ال)?رد (ال)?تلقائي',
  'ตอบกลับอัตโนมัติ',
  // Chinese, Japanese, Korean
  '自动(答复|回复|回覆|应答)',
  '自動(答覆|回覆|回復|回應)',
  '自動(応答|返信|応答メール|返信メール)',
  '자동 ?(회신|응답|답장)',
];

/** The same, of those of absences. */
const ABSENCE_BEGINNINGS: readonly string[] = [
  // English
  'out[ -]of[ -](the[ -])?office',
  'oo[fo] ?[:-]',
  '(vacation|absence|away|holiday) (auto-?)?(reply|response|notice|notification|message)',
  '(on )?(annual leave|vacation) ?:',
  // French
  "message d['’]absence",
  "notification d['’]absence",
  'absence ?:',
  'absente? ?:',
  'absente? du bureau',
  'absence du bureau',
  // German, Dutch
  'abwesenheits\\p{L}*',
  'abwesen(d|heit)( ?:| vom| bis| von)',
  'nicht im (büro|haus) ?:',
  'au(ß|ss)er haus ?:',
  'afwezig\\p{L}*',
  'niet aanwezig ?:',
  'niet op kantoor',
  // Italian, Spanish, Portuguese, Romanian
  'fuori (sede|ufficio)',
  'assente? ?:',
  'fuera de (la )?oficina',
  'ausente? ?:',
  'ausencia( de la oficina)? ?:',
  'fora (do escrit[óo]rio|de la oficina)',
  'ausência ?:',
  '(plecat|absent) din birou',
  '[îi]n afara biroului',
  // Swedish, Danish, Norwegian, Finnish
  'frånvaro(meddelande)? ?:',
  'frånvarande',
  '(ej|inte) på kontoret',
  'frav(æ|ae)r(smeddelelse|smelding|ende)?',
  'ikke (til stede|på kontoret)',
  'poissa(olo|oloilmoitus| toimistosta)? ?(:|$)',
  'poissaoloviesti',
  // Polish, Czech, Slovak, Hungarian
  'poza biurem',
  'nieobecno[śs][ćc]',
  'nieobecn[ya] ?:',
  'mimo kancel[áa][řr]',
  'mimo kancel[áa]rie',
  'nep[řr][íi]tomnos[tť]',
  'nep[řr][íi]tom(en|ný|ná) ?:',
  'irod[áa]n k[íi]v[üu]l',
  'h[áa]zon k[íi]v[üu]l',
  't[áa]voll[ée]t',
  // Turkish
  '(ofis|i[şs] ?yeri) d[ıi][şs][ıi]nda',
  'ofis d[ıi][şs][ıi]',
  // Russian, Ukrainian, Greek
  'вне офиса',
  'нет (на работе|на месте|в офисе)',
  'отсутств(ую|ие|ует)',
  '(поза офісом|немає на роботі|немає в офісі)',
  'відсутн(ій|я|ість)',
  'εκτός γραφείου',
  'απουσία',
  // Chinese, Japanese, Korean
  '不在(办公室|辦公室)',
  '(休假|外出)(通知|中|自动回复| ?[:：])',
  '(不在(通知|連絡|のお知らせ|届|中)?) ?[:：]',
  '(不在|外出|休暇)(通知|連絡|のお知らせ|のご連絡|中)',
  '부재 ?중',
  '부재 ?[:：]',
  '사무실 부재',
];

/** `Ann Lee is out of the office.`, `AUTO: Ann Lee ist außer Haus (Rückkehr am 01.12.2026)`, as Notes writes. */
const NOTES_ABSENCES: readonly string[] = [
  'is (currently )?(out of (the )?office|away from the office)',
  'will be out of (the )?office',
  'ist (derzeit )?(außer haus|ausser haus|nicht im (büro|haus)|abwesend)',
  'est (actuellement )?(absente?|en congés?)( du bureau)?',
  'está (ausente|fuera de la oficina|fora do escritório)',
  'è (fuori (ufficio|sede)|assente)',
  'is (afwezig|niet aanwezig|niet op kantoor)',
  'är (inte på kontoret|frånvarande)',
  'er (ikke på kontoret|ikke til stede|fraværende)',
];

/** What stands in brackets after the subject that is replied to: GroupWise, and rules that people write. */
const ENDINGS: readonly string[] = [
  '(out of (the )?office|vacation|abwesend|absente?|afwezig)( (auto-?)?(reply|response|message|notice|rule))?',
  'auto(matic)?[- ]?(reply|response)',
  'abwesenheitsnotiz',
];

const any = (patterns: readonly string[]): string => `(${patterns.join('|')})`;
const beginning = (patterns: readonly string[]): RegExp =>
  new RegExp(String.raw`^\s*[[(*【「]{0,3}\s?${any(patterns)}(?![\p{Ll}\d_])`, 'iu');

const AUTOMATIC = beginning(AUTOMATIC_BEGINNINGS);
const ABSENCE = beginning(ABSENCE_BEGINNINGS);
const NOTES = new RegExp(
  String.raw`^\s*(auto ?: ?)?\p{L}[^:?]{0,80}? ${any(NOTES_ABSENCES)}\.?(\s?\([^()]{0,80}\)\.?)?\s*$`,
  'iu',
);
const ENDING = new RegExp(String.raw`[([]\s?${any(ENDINGS)}\s?[)\]]\s*$`, 'iu');
/** `AUTO: Hello`: Notes. In lower case it is a car. */
const MARKED = /^\s*AUTO ?: /;

/** How much of a subject is compared. */
const MAX_LENGTH = 300;

/** Returns whether a subject is one that only automatic replies have. */
export const isAutomaticSubject = (subject: string): boolean =>
  AUTOMATIC.test(comparedOf(subject)) || MARKED.test(subject) || isAbsenceSubject(subject);

/** Returns whether a subject is one that only the notices of absent people have. */
export function isAbsenceSubject(subject: string): boolean {
  const compared = comparedOf(subject);
  return ABSENCE.test(compared) || NOTES.test(compared) || ENDING.test(compared);
}

/** The Turkish `İ` has no lower case of one character. */
const comparedOf = (subject: string): string => subject.slice(0, MAX_LENGTH).normalize('NFC').replaceAll('İ', 'i');
