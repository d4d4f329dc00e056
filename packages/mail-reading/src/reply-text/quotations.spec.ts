import { replyText } from './reply-text.js';

const QUOTED = '> Hello Bob,\n> do you have ten minutes?';
const UNQUOTED = 'Hello Bob,\n\ndo you have ten minutes?';

/** The lines with which programs introduce a quotation. */
const ATTRIBUTIONS: [program: string, line: string][] = [
  ['Gmail en', 'On Sat, Nov 21, 2026 at 9:31 AM Ann Lee <ann@sender.example> wrote:'],
  ['Gmail en, no time', 'On Sat, Nov 21, 2026 Ann Lee <ann@sender.example> wrote:'],
  ['Gmail en, two lines', 'On Sat, Nov 21, 2026 at 9:31 AM Ann Lee\n<ann@sender.example> wrote:'],
  ['Gmail fr', 'Le sam. 21 nov. 2026 à 09:31, Ann Lee <ann@sender.example> a écrit :'],
  ['Gmail de', 'Am Sa., 21. Nov. 2026 um 09:31 Uhr schrieb Ann Lee <ann@sender.example>:'],
  ['Gmail es', 'El sáb, 21 nov 2026 a las 9:31, Ann Lee (<ann@sender.example>) escribió:'],
  ['Gmail it', 'Il giorno sab 21 nov 2026 alle ore 09:31 Ann Lee <ann@sender.example> ha scritto:'],
  ['Gmail pt', 'Ann Lee <ann@sender.example> escreveu (sábado, 21/11/2026 à(s) 09:31):'],
  ['Gmail nl', 'Op za 21 nov 2026 om 09:31 schreef Ann Lee <ann@sender.example>:'],
  ['Gmail ru', 'сб, 21 нояб. 2026 г. в 09:31, Ann Lee <ann@sender.example>:'],
  ['Gmail ru, two lines', 'сб, 21 нояб. 2026 г. в 09:31, Ann Lee\n<ann@sender.example>:'],
  ['Gmail uk', 'сб, 21 лист. 2026 р. о 09:31 Ann Lee <ann@sender.example> пише:'],
  ['Gmail pl', 'sob., 21 lis 2026 o 09:31 Ann Lee <ann@sender.example> napisał(a):'],
  ['Gmail cs', 'so 21. 11. 2026 v 9:31 odesílatel Ann Lee <ann@sender.example> napsal:'],
  ['Gmail cs, two lines', 'so 21. 11. 2026 v 9:31 odesílatel Ann Lee\n<ann@sender.example> napsal:'],
  ['Gmail sk', 'so 21. 11. 2026 o 9:31 Ann Lee <ann@sender.example> napísal(a):'],
  ['Gmail hu', 'Ann Lee <ann@sender.example> ezt írta (időpont: 2026. nov. 21., Szo, 9:31):'],
  ['Gmail ro', 'În sâm., 21 nov. 2026 la 09:31, Ann Lee <ann@sender.example> a scris:'],
  ['Gmail tr', 'Ann Lee <ann@sender.example>, 21 Kas 2026 Cmt, 09:31 tarihinde şunu yazdı:'],
  ['Gmail el', 'Στις Σάβ 21 Νοε 2026 στις 9:31 π.μ., ο χρήστης Ann Lee <ann@sender.example> έγραψε:'],
  ['Gmail fi', 'la 21. marrask. 2026 klo 9.31 Ann Lee (ann@sender.example) kirjoitti:'],
  ['Gmail sv', 'Den lör 21 nov. 2026 kl 09:31 skrev Ann Lee <ann@sender.example>:'],
  ['Gmail da', 'Den lør. 21. nov. 2026 kl. 09.31 skrev Ann Lee <ann@sender.example>:'],
  ['Gmail nb', 'lør. 21. nov. 2026 kl. 09:31 skrev Ann Lee <ann@sender.example>:'],
  ['Gmail ja', '2026年11月21日(土) 9:31 Ann Lee <ann@sender.example>:'],
  ['Gmail ko', '2026년 11월 21일 (토) 오전 9:31, Ann Lee <ann@sender.example>님이 작성:'],
  ['Gmail zh', 'Ann Lee <ann@sender.example> 于2026年11月21日周六 09:31写道：'],
  ['Gmail in an unknown language', 'Lør 21 zzz 2026 qq 09:31 vvv Ann Lee <ann@sender.example> xyz:'],
  ['Thunderbird cs', 'Dne 21. 11. 2026 v 9:31 Ann Lee napsal(a):'],
  ['Thunderbird ru', '21.11.2026 9:31, Ann Lee пишет:'],
  ['Thunderbird ja', '2026/11/21 9:31、Ann Lee のメール:'],
  ['Thunderbird en', 'On 11/21/2026, Ann Lee wrote:'],
  ['Mutt', 'Ann Lee wrote:'],
];

describe('a quotation', () => {
  it.each(ATTRIBUTIONS)('is removed with the line that introduces it, and the answer above remains: %s', (_, line) => {
    for (const answer of ['Yes, on Monday.', 'Le budget est validé.', 'Am Montag passt es.', 'Да.', 'はい。'])
      for (const gap of ['\n', '\n\n']) expect(replyText({ text: `${answer}${gap}${line}\n${QUOTED}` })).toBe(answer);
  });

  it.each(ATTRIBUTIONS)('is removed where the answer is below it: %s', (_, line) => {
    expect(replyText({ text: `${line}\n${QUOTED}\n\nYes, on Monday.` })).toBe('Yes, on Monday.');
  });

  it.each(ATTRIBUTIONS.filter(([program]) => /^Gmail (?!in|fi|pt|en, no)/.test(program)))(
    'is removed if its lines are not marked: %s',
    (_, line) => {
      expect(replyText({ text: `Yes, on Monday.\n\n${line}\n\n${UNQUOTED}` })).toBe('Yes, on Monday.');
    },
  );

  it.each([
    ['en', 'From: Ann <ann@s.example>', 'Sent: Saturday, November 21, 2026 9:31 AM', 'To: Bob', 'Subject: Hello'],
    ['cs', 'Od: Ann <ann@s.example>', 'Odesláno: sobota 21. listopadu 2026 9:31', 'Komu: Bob', 'Předmět: Hello'],
    ['pl', 'Od: Ann <ann@s.example>', 'Wysłano: sobota, 21 listopada 2026 09:31', 'Do: Bob', 'Temat: Hello'],
    ['ru', 'От: Ann <ann@s.example>', 'Отправлено: 21 ноября 2026 г. 9:31', 'Кому: Bob', 'Тема: Hello'],
    ['uk', 'Від: Ann <ann@s.example>', 'Надіслано: 21 листопада 2026 р. 9:31', 'Кому: Bob', 'Тема: Hello'],
    ['tr', 'Kimden: Ann <ann@s.example>', 'Gönderildi: 21 Kasım 2026 Cumartesi 09:31', 'Kime: Bob', 'Konu: Hello'],
    ['ja', '差出人: Ann <ann@s.example>', '送信日時: 2026年11月21日 9:31', '宛先: Bob', '件名: Hello'],
    ['ko', '보낸 사람: Ann <ann@s.example>', '보낸 날짜: 2026년 11월 21일 오전 9:31', '받는 사람: Bob', '제목: Hello'],
    ['zh', '发件人：Ann <ann@s.example>', '发送时间：2026年11月21日 9:31', '收件人：Bob', '主题：Hello'],
    ['el', 'Από: Ann <ann@s.example>', 'Στάλθηκε: Σάββατο, 21 Νοεμβρίου 2026 9:31 πμ', 'Προς: Bob', 'Θέμα: Hello'],
    ['hu', 'Feladó: Ann <ann@s.example>', 'Elküldve: 2026. november 21., szombat 9:31', 'Címzett: Bob', 'Tárgy: Hello'],
    ['ro', 'De la: Ann <ann@s.example>', 'Trimis: sâmbătă, 21 noiembrie 2026 09:31', 'Către: Bob', 'Subiect: Hello'],
    [
      'fi',
      'Lähettäjä: Ann <ann@s.example>',
      'Lähetetty: lauantai 21. marraskuuta 2026 9.31',
      'Vastaanottaja: Bob',
      'Aihe: Hello',
    ],
    ['sk', 'Od: Ann <ann@s.example>', 'Odoslané: sobota 21. novembra 2026 9:31', 'Komu: Bob', 'Predmet: Hello'],
    [
      'an unknown language',
      'Xx: Ann <ann@s.example>',
      'Yyy: 21 zzz 2026 9:31',
      'Qq: Bob <bob@acme.example>',
      'Www: Hello',
    ],
  ])('is removed with the header above it, in %s', (_, ...header) => {
    for (const separator of ['', '________________________________\n', '-------- Исходное сообщение --------\n'])
      expect(replyText({ text: `Yes, on Monday.\n\n${separator}${header.join('\n')}\n\n${UNQUOTED}` })).toBe(
        'Yes, on Monday.',
      );
  });

  it.each([
    [
      'an attribution, and an answer that is not marked',
      'On 21 Nov 2026 9:31, "Ann" <a@s.example> wrote:\n\nTuesday works.',
    ],
    [
      'a header, and an answer that is not marked',
      'From: Ann <a@s.example>\nSent: 21 Nov 2026\nSubject: Hi\n\nTuesday works.',
    ],
    ['marked lines alone', '> Hello Bob,\n> Tuesday works.'],
  ])('is kept if nothing else remains: %s', (_, text) => {
    expect(replyText({ text })).toBe(text);
  });

  it('is kept in HTML, too, if nothing else remains', () => {
    expect(replyText({ html: '<div id="appendonsend"></div><p>Tuesday works.</p>' })).toBe('Tuesday works.');
  });

  it.each([
    'From: 9:00\nTo: 17:00\nSubject: to change',
    'Od: 9:00\nDo: 17:00\nTemat: spotkanie',
    'Datum: 21.11.2026 10:00\nOrt: Berlin\nKontakt: ann@acme.example',
    'Kontakt: ann@acme.example\nDatum: 21.11.2026 10:00\nOrt: Berlin',
    'Please send it to Ann <ann@acme.example> by 21 November 2026, 12:00:\n\nThe contract.',
    'These are the dates:\n21.11.2026 9:31\n22.11.2026 9:31',
    'He wrote:\nall is well.',
  ])('is none: %j', (text) => {
    expect(replyText({ text })).toBe(text);
  });
});
