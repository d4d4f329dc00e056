/** What absent people write, by language. Only automatic mails are compared. */
const ABSENCES: readonly string[] = [
  // English
  String.raw`out[ -]of[ -](the[ -]|my )?office|ooo(?!\p{L})|not in the office|(away|absent) (from|until|till|on|for|this|at|today|and|with)(?!\p{L})|(be|am|is|are|['’]m|currently|be) (away|absent|on leave)(?!\p{L})`,
  String.raw`on (\w{1,20} )?(leave|vacation|holidays?|sabbatical)(?!\p{L})|on a business trip|(annual|parental|maternity|paternity|sick) leave|unavailable (until|from|till)|back (in the office )?on(?!\p{L})|return(ing)? (to (the )?(office|work) )?on(?!\p{L})|(office|offices) (is|are|will be) closed|closed (until|from|for the)|(when|until) i (return|am back)|upon my return|limited access to (my )?e-?mail`,
  // French
  String.raw`absente?s?(?!\p{L})|en (congés?|vacances|déplacement|formation|arrêt|télétravail)|congés? (maternité|paternité|parental|annuels?|payés)|absence|(de|mon) retour (le|à|au|lundi|mardi|mercredi|jeudi|vendredi)|indisponible|(fermée?s?|fermeture) (du|jusqu|pour|annuelle|exceptionnelle)|je reviens le|je serai de retour`,
  // German
  'abwesen|nicht im (büro|haus|hause)|außer haus|ausser haus|im urlaub|in urlaub|elternzeit|mutterschutz|dienstreise|krankheitsbedingt|wieder (im büro|erreichbar|da|für sie da|zurück)|nicht (erreichbar|am arbeitsplatz)|betriebsferien|geschlossen',
  // Spanish, Italian, Dutch, Portuguese, Romanian
  'fuera de (la )?oficina|de vacaciones|ausencia|estaré ausente|estoy ausente|de baja (médica|maternal|paternal)',
  'fuori (ufficio|sede)|in ferie|assent[ei]|in malattia|rientr(o|erò) (il|in ufficio)',
  'afwezig|niet aanwezig|niet op kantoor|op vakantie|met verlof|zwangerschapsverlof',
  'ausente|fora do escritório|de férias|em férias|licença (maternidade|paternidade|médica)',
  'concedi(u|ul)|absent|nu sunt la birou|plecat din birou|în afara biroului|lipsesc',
  // Swedish, Danish, Norwegian, Finnish
  'semester|frånvar|(inte|ej) på kontoret|föräldraledig|tjänstledig|tjänsteresa|är ledig|åter på kontoret|tillbaka (på kontoret|den|igen)',
  'ferie|fravær|ikke (på kontoret|til stede)|barsel|tjenesterejse|tilbage (på kontoret|den|igen)',
  'permisjon|tilbake (på kontoret|den|igjen)|på reise',
  'lomalla|vuosiloma|poissa|en ole (paikalla|toimistolla)|virkamatka|vanhempainvapaa|palaan (töihin|toimistolle)?',
  // Polish, Czech, Slovak, Hungarian
  'urlop|nieobecn|poza biurem|nie ma mnie w biurze|delegacj|zwolnieni(u|e) lekarski',
  'dovolen|nepřítom|mimo kancelář|nejsem v kanceláři|služební cest',
  'neprítom|mimo kancelári|nie som v kancelárii|služobn(ej|á|ú) cest',
  'szabadság|távol|házon kívül|irodán kívül|nem (vagyok|leszek) (az )?irod',
  // Turkish
  'izin(li|de|deyim)|yıllık izin|tatil|(ofis|iş ?yeri) dış|ofiste (değilim|olmayacağım)|iş seyahat',
  // Russian, Ukrainian, Greek
  'отпуск|отсутств|вне офиса|не в офисе|нет (на работе|на месте|в офисе)|командировк|больничн',
  'відпуст(к|ц)|відсутн|поза офісом|не в офісі|немає (на роботі|в офісі)|відряджен|лікарнян',
  'άδεια|εκτός γραφείου|απουσι|απουσί|διακοπές|λείπω|θα λείψω',
];

/** The same in Chinese, Japanese and Korean, where words do not begin at a space. */
const ABSENCES_WITHIN_WORDS: readonly string[] = [
  '休假|不在|外出|出差|请假|請假|度假|年假|产假|產假',
  '休暇|出張|お休み|休業|休みを',
  '부재|휴가|출장|자리를 비|휴직',
];

const ABSENT = new RegExp(`(?<!\\p{L})(${ABSENCES.join('|')})|${ABSENCES_WITHIN_WORDS.join('|')}`, 'iu');

/** Returns whether the text of an automatic mail speaks of an absence. */
export const mentionsAbsence = (text: string): boolean => ABSENT.test(text.normalize('NFC'));
