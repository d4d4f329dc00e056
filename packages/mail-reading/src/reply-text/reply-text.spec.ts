import fc from 'fast-check';
import { reportedMail } from '../../test/reported-mail.js';
import { parseMail } from '../parse-mail.js';
import { replyText } from './reply-text.js';

const about = { message_id: 'AYcJAtpF-1RL_pL6@sender.example', address: 'bob@acme.example' };
const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z');

async function textIn(raw: Buffer): Promise<string | undefined> {
  const parsed = await parseMail({ bytes: raw, received_at: RECEIVED_AT });
  const { report, otherwise } = ('notice' in parsed && parsed.notice) || {};
  return (report?.kind === 'replied' ? report : otherwise)?.text;
}

const LENGTH = 400_000;
const repeated = (text: string, length = LENGTH): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Texts for which patterns that can match in many ways take very long. */
const HOSTILE: [name: string, text: string][] = [
  ['one line', repeated('a')],
  ['blank lines', repeated('\n')],
  ['spaces', repeated(' ')],
  ['lines that begin a quotation', repeated('On 1:11 a\n')],
  ['lines that nearly introduce a quotation', repeated(`On ${'wrote '.repeat(60)}2026 1:11 @\n`)],
  ['lines that introduce nothing', repeated('21.11.2026 9:31 Ann wrote:\n')],
  ['dates that introduce nothing', repeated(`${'1 2026 <a@b '.repeat(40)}:\n`)],
  ['names that introduce nothing', repeated(`${'a <a@b> '.repeat(60)}:\n`)],
  ['fields in an unknown language', repeated('Ab: a@b.example\nCd: 21 x 2026 9:31\n')],
  ['rules', repeated('-----\n')],
  ['rules with blank lines', repeated(`-----\n${'\n'.repeat(1_000)}`)],
  ['separators', repeated('-----Original Message-----\n')],
  ['separators with blank lines', repeated('-----Original Message-----\n\n\n\n')],
  ['headers', repeated('From: a\nSent: b\n')],
  ['first fields', repeated('From: a <\n')],
  ['dashes', repeated('-')],
  ['quotation marks', repeated('>')],
  ['angle brackets', repeated('<')],
  ['tags', repeated('<div>')],
  ['quotations in quotations', repeated('<blockquote>x')],
  ['tables in tables', repeated('<table><tr><td>')],
  ['attributes', repeated('<p a=')],
  ['entities', repeated('&amp')],
  ['comments', repeated('<!--')],
  ['Dutch', repeated('Op schreef \n', 7_900)],
  ['Polish', repeated('Dnia a\n', 7_900)],
  ['Chinese', repeated('在a\n', 7_900)],
  ['Danish', repeated('man. a\n', 7_900)],
  ['words of attributions', repeated(`${'On a '.repeat(190)}\n`, 7_900)],
  ['numbers of attributions', repeated(`${'12.12.2026 "<'.repeat(70)}\n\n`, 7_900)],
  ['from', repeated(`${'1234from<'.repeat(100)}\n\n`, 7_900)],
  ['signatures', repeated('Cheers,\n\n', 7_900)],
];

describe('the text of a reply', () => {
  it.each([
    ['gmail-en', 'Yes, call me on Monday.\n\nBob'],
    ['gmail-fr', 'Oui, lundi me convient.'],
    ['gmail-de', 'Ja, Montag passt.'],
    ['gmail-html-only', 'Yes, call me on Monday.\nAt 10?'],
    ['gmail-interleaved', 'Hi,\n\nYes, at ten.\n\nMy colleague Ann.'],
    ['gmail-interleaved-html', 'Hi,\n\nYes, at ten.\n\nMy colleague Ann.'],
    ['gmail-bottom', 'Yes, call me on Monday.'],
    ['gmail-android-fr', 'Oui merci'],
    ['outlook-desktop-en', 'Yes, call me on Monday.'],
    ['outlook-desktop-fr', 'Bonjour,\n\nOui, lundi me convient.'],
    ['outlook-desktop-de', 'Ja, Montag passt für mich.'],
    ['outlook-2010-en', 'Yes, Monday.'],
    ['outlook-2010-fr', 'Oui, lundi.'],
    ['outlook-desktop-html-only', 'Oui, lundi me convient.'],
    ['outlook-web-en', 'Yes, call me on Monday.'],
    ['outlook-web-html-only', 'Yes, call me on Monday.'],
    ['outlook-ios-en', 'Yes, Monday.'],
    ['outlook-com-unknown-language', 'Ano, v pondělí.'],
    ['apple-mail-en', 'Yes, call me on Monday.\n\nBob'],
    ['apple-mail-fr-html-only', 'Oui, lundi me convient.\n\nBob'],
    ['ios-en', 'Yes, Monday works.'],
    ['ios-fr', 'Oui lundi'],
    ['ios-de-html-only', 'Montag passt.'],
    ['thunderbird-en-bottom', 'Yes, call me on Monday.'],
    ['thunderbird-fr', 'Oui, lundi me convient.'],
    ['thunderbird-de-interleaved', 'Ja, um zehn.\nMeine Kollegin Ann.'],
    ['thunderbird-html-only', 'Oui, lundi me convient.\n\nEt mardi aussi.'],
    ['yahoo-en', 'Yes, call me on Monday.'],
    ['yahoo-fr', 'Oui, lundi me convient.'],
    ['yahoo-html-only', 'Yes, call me on Monday.'],
    ['proton-en', 'Yes, call me on Monday.\n\nSent with Proton Mail secure email.'],
    ['proton-old', 'Yes, call me on Monday.'],
    ['proton-html-only', 'Yes, call me on Monday.'],
    ['gmx-de', 'Ja, Montag passt.'],
    ['orange-fr', 'Oui, lundi me convient.'],
    ['samsung-en', 'Yes, Monday.'],
    ['zimbra-fr', 'Oui, lundi me convient.\n\nBob'],
    ['hey-no-quote', 'Yes.\n\nOn Monday I wrote to Ann, too: she agrees.\nFrom: ten to eleven is best.'],
    ['forward-with-comment', 'See below, Ann decides.'],
    ['signature-only', 'Cheers,\nBob'],
    ['attachment-first', 'The notes are attached.'],
    ['windows-1252', 'D’accord – budget de 5 000 €, c’est « parfait ».'],
    ['iso-8859-15-base64', "Budget : 5 000 €, c'est l'œuvre."],
  ])('is the new part alone of the sample %s', async (name, expected) => {
    expect(await textIn(reportedMail(`replies/${name}`, about))).toBe(expected);
  });

  it('is the beginning of a long reply, of at most 20,000 characters', async () => {
    const long = `${'A long reply. '.repeat(2_000)}\n\nOn Sat, 21 Nov 2026 at 09:31, Sales <sales@sender.example> wrote:\n> Hello`;
    expect(replyText({ text: long })).toBe('A long reply. '.repeat(2_000).slice(0, 20_000).trim());
    expect(replyText({ text: '🙂'.repeat(10_001).slice(1) }).isWellFormed()).toBe(true);
  });

  it.each(HOSTILE)('is found in a mail that is made to take long: %s', (_, hostile) => {
    for (const mail of [{ text: hostile }, { html: hostile }, { html: `<p>${hostile}</p>` }]) {
      expect(replyText(mail).length).toBeLessThanOrEqual(20_000);
    }
  });

  const parts = fc.constantFrom(
    ...[
      '> ',
      'On Sat, 21 Nov 2026 at 09:31, Ann <a@x.test> wrote:',
      '\n',
      '\r\n',
      'From: a',
      'Sent: b',
      'To: c',
      'Subject: d',
    ],
    ...[
      '-- ',
      '________________________________',
      '-----Original Message-----',
      'Cheers,',
      '<blockquote>',
      '</div>',
      '\0',
      '\ud800',
      '\u0001',
      '\u0002',
    ],
    ...['Op 2026 schreef', 'skrev', '在写道：', 'text', ' ', '\u00a0', '<div id="appendonsend">'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts, { maxLength: 40 }).map((list) => list.join('')),
  );

  it('is a well-formed text without control characters, for any mail', () => {
    fc.assert(
      fc.property(texts, texts, (text, html) => {
        for (const mail of [{ text }, { html }, { text, html }]) {
          const reply = replyText(mail);
          expect(reply.isWellFormed()).toBe(true);
          expect(reply).not.toMatch(/[^\P{Cc}\t\n]/u);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
