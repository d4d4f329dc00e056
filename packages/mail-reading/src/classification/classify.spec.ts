import { reportedMail } from '../../test/reported-mail.js';
import { HeaderFields } from '../header-fields.js';
import { parseMail } from '../parse-mail.js';
import { classify } from './classify.js';

const about = { message_id: 'AYcJAtpF-1RL_pL6@sender.example', address: 'bob@acme.example' };

async function contentOf(name: string) {
  const bytes = reportedMail(name, about);
  const parsed = await parseMail({ bytes, received_at: new Date('2026-12-21T10:00:00.000Z') });
  const { report, otherwise } = ('notice' in parsed && parsed.notice) || {};
  return report?.kind === 'replied' ? report : otherwise;
}

const MARKED = { 'x-auto-response-suppress': 'All' };

function classified(subject: string, text: string, fields: Record<string, string> = {}): string {
  const values = new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
  return classify({ header: new HeaderFields(values), subject, text, from: 'bob@acme.example' });
}

describe('the classification of a reply', () => {
  it.each([
    ['exchange-en', '2027-01-06'],
    ['exchange-fr', '2027-01-05'],
    ['exchange-de', '2027-01-05'],
    ['exchange-html', '2027-01-04'],
    ['gmail-vacation', '2026-12-26'],
    ['gmail-vacation-fr', '2027-01-05'],
    ['sieve', null],
    ['icloud', '2027-01-12'],
    ['yahoo', '2027-01-04'],
    ['gmx', '2027-01-04'],
    ['web-de-unmarked', '2027-01-04'],
    ['orange-unmarked', '2027-01-04'],
    ['ovh-roundcube', '2027-01-04'],
    ['cpanel', '2027-01-04'],
    ['postfix-admin', '2027-01-05'],
    ['domino', '2027-01-04'],
    ['ooo-without-date', null],
  ])('is out_of_office for the sample %s, with the day of return %s', async (name, returnsOn) => {
    expect(await contentOf(`automatic/${name}`)).toMatchObject({
      classification: 'out_of_office',
      returns_on: returnsOn,
    });
  });

  it.each([
    'exchange-shared-mailbox',
    'zendesk',
    'freshdesk',
    'jira',
    'otrs-de',
    'glpi-fr',
    'receipt-unmarked-fr',
    'receipt-unmarked-en',
    'noreply',
    'challenge',
  ])('is automatic for the sample %s', async (name) => {
    expect(await contentOf(`automatic/${name}`)).toMatchObject({ classification: 'automatic', returns_on: null });
  });

  it.each([
    'exchange-suppress',
    'exchange-redirected',
    'away-in-person',
    'about-automation',
    'normal-precedence',
    'urgent-ticket',
  ])('is reply for the mail of a person, the sample %s', async (name) => {
    expect(await contentOf(`people/${name}`)).toMatchObject({ classification: 'reply', returns_on: null });
  });

  it.each([
    ['Autosvar: Hello', 'Jag är på semester till och med 4 december.'],
    ['Automatiskt svar: Hello', 'Jag är inte på kontoret.'],
    ['Frånvarande: Hello', ''],
    ['Automatisk svar: Hello', 'Jeg er på ferie.'],
    ['Fraværsmelding', 'Hei'],
    ['Ikke til stede: Hello', ''],
    ['Automaattinen vastaus: Hello', 'Olen lomalla 4.12. asti.'],
    ['Poissa: Hello', ''],
    ['Automatyczna odpowiedź: Hello', 'Jestem na urlopie.'],
    ['Odpowiedź automatyczna: Hello', 'Jestem nieobecny.'],
    ['Poza biurem: Hello', ''],
    ['Automatická odpověď: Hello', 'Mám dovolenou.'],
    ['Mimo kancelář: Hello', ''],
    ['Automatická odpoveď: Hello', 'Som na dovolenke.'],
    ['Automatikus válasz: Hello', 'Szabadságon vagyok.'],
    ['Házon kívül: Hello', ''],
    ['Răspuns automat: Hello', 'Sunt în concediu.'],
    ['Otomatik yanıt: Hello', 'Yıllık izindeyim.'],
    ['Ofis dışında: Hello', ''],
    ['İşyeri dışında: Hello', ''],
    ['【自動返信】Hello', '不在です。'],
    ['Автоматический ответ: Hello', 'Я в отпуске.'],
    ['Автоответ: Hello', 'Нахожусь в командировке.'],
    ['Нет на работе: Hello', ''],
    ['Автоматична відповідь: Hello', 'Я у відпустці.'],
    ['Αυτόματη απάντηση: Hello', 'Είμαι σε άδεια.'],
    ['Εκτός γραφείου: Hello', ''],
    ['自动答复: Hello', '我正在休假。'],
    ['自動回覆: Hello', '我目前不在辦公室。'],
    ['自動応答: Hello', '休暇をいただいております。'],
    ['不在通知: Hello', ''],
    ['자동 회신: Hello', '휴가 중입니다.'],
    ['부재 중: Hello', ''],
    ['Respuesta automática: Hello', 'Estoy de vacaciones.'],
    ['Risposta automatica: Hello', 'Sono in ferie.'],
    ['Automatisch antwoord: Hello', 'Ik ben op vakantie.'],
    ['Resposta automática: Hello', 'Estou de férias.'],
    ['Réponse automatique : Hello', 'Je suis en congés.'],
    ['Ann Lee is out of the office.', ''],
    ['Ann Lee is out of the office (returning 07.12.2026)', ''],
    ['AUTO: Ann Lee ist außer Haus (Rückkehr am 07.12.2026)', ''],
    ['AUTO: Hello', 'I am out of the office.'],
    ['Re: Hello (Out of Office)', ''],
    ['Out of Office Reply: Hello', ''],
    ['Abwesenheitsnotiz: Hello', ''],
  ])('is out_of_office by the subject %j, without a field that says so', (subject, text) => {
    expect(classified(subject, text)).toBe('out_of_office');
  });

  it.each([
    ['Auto: neues Angebot', 'Wir kaufen es.'],
    ['Re: Automatic reply: Hello', 'That was my mailbox. I am here: call me.'],
    ['Re: Ann Lee is out of the office.', 'Yes, until Monday. Write to me.'],
    ['SV: Autosvar: Hello', 'Ring mig.'],
    ['Semester plans', 'I am on vacation in May, call me before.'],
    ['休假安排', '下周可以。'],
    ['外出禁止', 'はい。'],
    ['Ausente', 'Sí, llámame.'],
    ['Who is out of office?', 'Ann.'],
  ])('is reply for a person with the subject %j', (subject, text) => {
    expect(classified(subject, text)).toBe('reply');
  });

  it.each([
    'Sounds good, call me.\n\nPat\n\nPlease do not reply to this email if you are not its intended recipient.',
    'Sounds good, call me.\n\nPat\n\nPlease do not reply to this email\nif you have received it in error.',
    'Sounds good, call me.\n\nPlease do not reply to this message.',
    'Ja, gerne am Montag.\n\nBitte antworten Sie nicht auf diese E-Mail.',
    'Oui, lundi.\n\nMerci de ne pas répondre à ce message si vous n’en êtes pas le destinataire.',
    'I got "This is an automated response" from you. Are you a person?',
    'Your last mail says: this is an automated message. Is it?',
    'Are you a real person? Please confirm that you are human.',
    'Can you verify that you are a real human?\n\nBob\nhttps://acme.example',
  ])('is reply for a person who writes %j', (text) => {
    expect(classified('Re: Hello', text)).toBe('reply');
  });

  it('counts the words of a disclaimer that speaks to others in no case', () => {
    const text = 'Yes.\n\nDo not reply to this email if you are not the intended recipient.';
    expect(classified('Re: Hello', text, MARKED)).toBe('reply');
  });

  it.each([
    ['This is an automated response. We answer within two days.', {}],
    ['Hello,\n\nThis is an automatic reply.\nOur desk is open on weekdays.', {}],
    ['This mailbox is not monitored. Please do not reply to this email.', {}],
    ['We have received your message. Please do not reply to this email.', {}],
    ['Dies ist eine automatisch generierte Nachricht. Bitte antworten Sie nicht auf diese E-Mail.', {}],
    ['Somebody looks at it tomorrow. Please do not reply to this email.', MARKED],
    ['To deliver your message, confirm that you are human: https://guard.example/c/1', {}],
    ['I get too much spam. Please click the link below to verify your email: http://guard.example/c/1', {}],
    [
      'The message you sent requires that you verify that you are a real live human being. Simply reply to this message.',
      {},
    ],
    ['Bonjour, cliquez ici pour confirmer que vous êtes un humain : https://guard.example/c/1', {}],
  ])('is automatic for a machine that writes %j', (text, fields) => {
    expect(classified('Re: Hello', text, fields)).toBe('automatic');
  });
});
