import fc from 'fast-check';
import { DateTime } from 'luxon';
import { returnDate } from './return-date.js';

/** A Monday. */
const SENT_ON = DateTime.fromISO('2026-12-21T17:30:00+01:00', { setZone: true });
const find = (text: string): string | null => returnDate(text, SENT_ON);

describe('returnDate', () => {
  it.each([
    ['I will be back on 5 January.', '2027-01-05'],
    ['I will be back in the office on Monday, January 4th, 2027.', '2027-01-04'],
    ['I am on leave and returning on 5th January 2027', '2027-01-05'],
    ['I will return to the office Jan. 5', '2027-01-05'],
    ['I return to work on Tue 05/01.', '2027-01-05'],
    ['Back on the 5th', '2027-01-05'],
    ['I shall be back on Monday.', '2026-12-28'],
    ['I will be back on Wednesday', '2026-12-23'],
    ['Back tomorrow.', '2026-12-22'],
    ['Back on Monday 4', '2027-01-04'],
    ['De retour lundi 4 au matin', '2027-01-04'],
    ['Back on Monday 9 am', '2026-12-28'],
    ['Back in the office: 17/08', '2027-08-17'],
    ['I will be back next week.', '2026-12-28'],
    ['I will not be back until 5 January', '2027-01-05'],
    ["I won't be back in the office before January 5.", '2027-01-05'],
    ['Return date: 2027-01-05', '2027-01-05'],
    ['I am available again from 5 January 2027', '2027-01-05'],
    ['On 5 January I am available again.', '2027-01-05'],
    ['I am back on 1/25/2027', '2027-01-25'],
    ['I am back on 4/1/2027', '2027-01-04'],
    ['Je serai de retour le 5 janvier 2027.', '2027-01-05'],
    ['De retour au bureau le lundi 4 janvier', '2027-01-04'],
    ['Retour prévu le 04/01/2027', '2027-01-04'],
    ['Mon retour est prévu pour le 4/01', '2027-01-04'],
    ['Je reviens lundi.', '2026-12-28'],
    ['Je serai de nouveau joignable à partir du 5 janvier', '2027-01-05'],
    ['À partir du 5 janvier, je serai de nouveau disponible.', '2027-01-05'],
    ['Je ne serai pas de retour avant le 5 janvier', '2027-01-05'],
    ['De retour le 1er février', '2027-02-01'],
    ['Ich bin am 5. Januar 2027 wieder im Büro.', '2027-01-05'],
    ['Ab dem 5.1. bin ich wieder für Sie da.', '2027-01-05'],
    ['Ich bin ab Montag, den 4. Januar, wieder erreichbar.', '2027-01-04'],
    ['Ich bin zurück am 05.01.2027', '2027-01-05'],
    ['Back in 2 weeks', '2027-01-04'],
    ['I will be back in the office in two weeks.', '2027-01-04'],
    ['Back in a week', '2026-12-28'],
    ['Back at the end of January', '2027-01-31'],
    ['Je serai de retour dans deux semaines.', '2027-01-04'],
    ['De retour dans 10 jours', '2026-12-31'],
    ['De retour fin janvier', '2027-01-31'],
    ['Ich bin in zwei Wochen wieder im Büro, zurück in zwei Wochen', '2027-01-04'],
    ['Ich bin Ende Januar wieder erreichbar: zurück Ende Januar.', '2027-01-31'],
  ])('takes the first day here: %s', (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  it.each([
    ['I am out of the office until 5 January.', '2027-01-06'],
    ['Out until the 5th.', '2027-01-06'],
    ['I am away until and including Friday, 25 December', '2026-12-26'],
    ['I am away until Friday.', '2026-12-26'],
    ['I am away until Monday.', '2026-12-22'],
    ['Out of office through January 5th', '2027-01-06'],
    ['I am on leave from 28 December to 5 January', '2027-01-06'],
    ['I am away from 3 to 14 August', '2027-08-15'],
    ['Annual leave: August 3-14', '2027-08-15'],
    ['Annual leave 3-14 August 2027', '2027-08-15'],
    ['On holiday between 3 and 14 August', '2027-08-15'],
    ['I am away from the 3rd to the 14th.', '2027-01-15'],
    ['Away 22/12/2026 - 05/01/2027', '2027-01-06'],
    ['Away 2026-12-22 to 2027-01-05.', '2027-01-06'],
    ["Je suis absent jusqu'au 5 janvier inclus.", '2027-01-06'],
    ['Absente jusqu’au lundi 4 janvier 2027', '2027-01-05'],
    ["Absent jusqu'au 5", '2027-01-06'],
    ["Absent jusqu'à vendredi", '2026-12-26'],
    ['Je suis en congés du 3 au 14 août inclus.', '2027-08-15'],
    ['Absence du lundi 28 décembre au vendredi 1er janvier', '2027-01-02'],
    ['Ich bin bis zum 5. Januar nicht im Büro.', '2027-01-06'],
    ['Ich bin bis einschließlich 05.01.2027 im Urlaub', '2027-01-06'],
    ['Urlaub vom 3. bis 14. August', '2027-08-15'],
    ['Vom 28.12. bis 5.1. bin ich nicht erreichbar', '2027-01-06'],
    ['until 31 December', '2027-01-01'],
    ['until today', '2026-12-22'],
    ['Away until the end of January', '2027-02-01'],
    ["Absent jusqu'à fin janvier", '2027-02-01'],
    ['Ich bin bis Ende Januar nicht im Büro', '2027-02-01'],
    ['I am out today.', '2026-12-22'],
    ['I am out of the office today and will reply tomorrow.', '2026-12-22'],
    ["I'm out of office on Friday.", '2026-12-26'],
    ['Today I am out of the office.', '2026-12-22'],
    ['On Friday, 8 January I am away.', '2027-01-09'],
    ['I am on leave on Thursday and Friday.', '2026-12-26'],
    ['I am not in the office on Wednesday', '2026-12-24'],
    ['I am away tomorrow', '2026-12-23'],
    ["Je suis absent aujourd'hui.", '2026-12-22'],
    ['Je suis absente ce vendredi', '2026-12-26'],
    ['Je suis en congé le vendredi 8 janvier', '2027-01-09'],
    ["Aujourd'hui je ne suis pas au bureau", '2026-12-22'],
    ['Vendredi, je serai absent.', '2026-12-26'],
    ['Ich bin heute nicht im Büro.', '2026-12-22'],
    ['Heute bin ich nicht erreichbar.', '2026-12-22'],
    ['Ich bin am Freitag abwesend', '2026-12-26'],
    ['Am Freitag, den 8. Januar, bin ich nicht im Haus.', '2027-01-09'],
    ['Abwesend am Mittwoch', '2026-12-24'],
  ])('takes the day after the last day away: %s', (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  it.each([
    ['Vuelvo el 7 de enero de 2027.', '2027-01-07'],
    ['Estaré de vuelta en la oficina el lunes 4 de enero.', '2027-01-04'],
    ['No volveré hasta el 7 de enero', '2027-01-07'],
    ['A partir del 7 de enero estaré de nuevo disponible.', '2027-01-07'],
    ['Rientro il 7 gennaio.', '2027-01-07'],
    ['Sarò di ritorno in ufficio lunedì 4 gennaio 2027', '2027-01-04'],
    ['Dal 7 gennaio sarò di nuovo disponibile', '2027-01-07'],
    ['Ik ben terug op 5 januari.', '2027-01-05'],
    ['Vanaf maandag 4 januari ben ik weer bereikbaar.', '2027-01-04'],
    ['Estarei de volta no dia 5 de janeiro.', '2027-01-05'],
    ['Regresso ao escritório na segunda-feira, 4 de janeiro', '2027-01-04'],
    ['Jag är tillbaka på kontoret den 7 januari.', '2027-01-07'],
    ['Jag är tillbaka till kontoret måndag den 4 januari', '2027-01-04'],
    ['Jeg er tilbage på kontoret den 5. januar.', '2027-01-05'],
    ['Jeg er tilbake på jobb 5. januar', '2027-01-05'],
    ['Palaan töihin 7.1.2027.', '2027-01-07'],
    ['Palaan maanantaina 4. tammikuuta', '2027-01-04'],
    ['Wracam do biura 7 stycznia.', '2027-01-07'],
    ['Będę ponownie dostępny od 7 stycznia 2027 r.', '2027-01-07'],
    ['Vrátím se do práce 5. ledna.', '2027-01-05'],
    ['Budu zpět v pondělí 4. ledna', '2027-01-04'],
    ['I am back on 3 December', '2027-12-03'],
  ])('takes the first day here, in other languages: %s', (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  it.each([
    ['Estoy de vacaciones hasta el 5 de enero.', '2027-01-06'],
    ['Estaré ausente del 28 de diciembre al 5 de enero', '2027-01-06'],
    ['Sono in ferie fino al 5 gennaio compreso.', '2027-01-06'],
    ['Sono assente dal 3 al 14 agosto', '2027-08-15'],
    ['Ik ben afwezig tot en met 5 januari.', '2027-01-06'],
    ['Ik ben op vakantie van 28 december t/m 5 januari', '2027-01-06'],
    ['Estou de férias até ao dia 5 de janeiro.', '2027-01-06'],
    ['Estou ausente do dia 3 ao dia 14 de agosto', '2027-08-15'],
    ['Jag är på semester till och med den 5 januari.', '2027-01-06'],
    ['Jag är ledig t.o.m. 5 januari', '2027-01-06'],
    ['Jeg har ferie til og med den 5. januar.', '2027-01-06'],
    ['Jeg er bortreist fra 28. desember til 5. januar', '2027-01-06'],
    ['Olen lomalla 5.1. asti.', '2027-01-06'],
    ['Olen poissa perjantaihin saakka', '2026-12-26'],
    ['Jestem na urlopie do 5 stycznia włącznie.', '2027-01-06'],
    ['Urlop od 3 do 14 sierpnia', '2027-08-15'],
    ['Mám dovolenou do 5. ledna.', '2027-01-06'],
    ['Jsem mimo kancelář od 28. prosince do pátku 1. ledna', '2027-01-02'],
  ])('takes the day after the last day away, in other languages: %s', (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  it.each([
    ['I am away from 3 to 14 August. I will be back on 17 August.', '2027-08-17'],
    ['Out from 24 December. Back on 4 January. For help call 01 23 45 67 89.', '2027-01-04'],
    ["Absent jusqu'au 3 janvier, de retour le lundi 4.", '2027-01-04'],
    ['I am away until 5 January. I will get back to you on my return.', '2027-01-06'],
  ])('prefers the first day here: %s', (text, expected) => {
    expect(find(text)).toBe(expected);
  });

  it.each([
    ['I am away.'],
    ['Until further notice.'],
    ['Our office hours are Monday to Friday, 9 to 5.'],
    ['Our office hours are from 9 to 5.'],
    ['We are open from Monday until Friday.'],
    ['Wir sind von 9 bis 17 Uhr für Sie da.'],
    ['Call me back at 12.30.'],
    ['I am in a meeting until 5 pm.'],
    ['I am in a meeting until 17:30.'],
    ['I am away from Friday'],
    ['Je suis absent du bureau depuis vendredi'],
    ['I was out of the office on Friday.'],
    ['Find out today what we have on Friday.'],
    ['Please leave a message today.'],
    ['I am not away today.'],
    ['Out of office hours: Monday to Friday from 9 to 5'],
    ['Back in 5 minutes'],
    ['I was away until 5 January 2024.'],
    ['Back on 5 January 2031.'],
    ['Back on 31 February 2027.'],
    ['Back on 45/77/2027'],
    ['We will come back to you on all 5 points.'],
    ['I am not available from 28 December'],
    ['Je ne suis pas disponible à partir du 28 décembre'],
    ['What do you do?'],
    ['I do 5 things at a time.'],
    ['Find out 5 of them, 3 days ago.'],
    ['Jestem na urlopie od 22 grudnia.'],
    ['Nuestro horario es de 9 a 17.'],
    ['Otevřeno od pondělí do pátku'],
    ['No estoy disponible desde el 28 de diciembre'],
    [''],
  ])('returns null without a date: %s', (text) => {
    expect(find(text)).toBeNull();
  });

  it.each([
    ['2026-11-26', 'I am away from Fri 11/27/2026 and will not return until Mon 12/07/2026.', '2026-12-07'],
    ['2026-11-26', 'Back on 12/28/2026', '2026-12-28'],
    ['2026-11-26', 'Back on 12-28-2026', '2026-12-28'],
    ['2026-11-26', 'Away until 12/07', '2026-12-08'],
    ['2026-11-26', 'Back on 01/12/2026', '2026-12-01'],
    ['2026-11-26', 'Back on 02/03/2027', '2027-02-03'],
    ['2026-11-26', 'Back on Tuesday 02/03/2027', '2027-03-02'],
    ['2026-11-26', 'Ich bin ab 02.03.2027 wieder erreichbar.', '2027-03-02'],
    ['2026-11-26', 'Back on 12/07/2025', null],
  ])('takes the nearer of two days that a date may be, on %s: %s', (sentOn, text, expected) => {
    expect(returnDate(text, DateTime.fromISO(sentOn))).toBe(expected);
  });

  it('counts from the day of the sender, and includes it', () => {
    const lateInAuckland = DateTime.fromISO('2027-01-05T00:30:00+13:00', { setZone: true });
    expect(returnDate('back on the 5th', lateInAuckland)).toBe('2027-01-05');
    expect(returnDate('until the 5th', lateInAuckland)).toBe('2027-01-06');
    expect(returnDate('back on the 4th', lateInAuckland)).toBe('2027-02-04');
    expect(returnDate('until 29 February', DateTime.fromISO('2027-06-01'))).toBe('2028-03-01');
  });

  const words = [
    ..."back until till from to du au jusqu' bis zum ab wieder the 5th 5 31 29 . , - / : 2027 99 1 february januar août monday".split(
      ' ',
    ),
    ...'lundi not next week tomorrow return retour on le le am available disponible à partir range \n 𝟝 İ'.split(' '),
  ];
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(' ')),
  );

  it('returns null or a day within a year, for any text and any day', () => {
    fc.assert(
      fc.property(texts, fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (text, date) => {
        const sentOn = DateTime.fromJSDate(date, { zone: 'utc' });
        const found = returnDate(text, sentOn);
        if (found === null) return;
        expect(found).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        const days = DateTime.fromISO(found, { zone: 'utc' }).diff(sentOn.startOf('day'), 'days').days;
        expect(days).toBeGreaterThanOrEqual(0);
        expect(days).toBeLessThanOrEqual(367);
      }),
      { numRuns: 3_000 },
    );
  });
});
