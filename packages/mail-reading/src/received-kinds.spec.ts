import { parseMail } from './parse-mail.js';
import { receivedMail } from './received-mail.js';
import { asksToUnsubscribe } from './unsubscribe-request.js';

const ID = 'AYcJAtpF-1RL_pL6@sender.example';
const RETURNED = `From: sales@sender.example\r\nTo: bob@acme.example\r\nSubject: Hello\r\nMessage-ID: <${ID}>\r\n`;

const noticeIn = async (header: string, body: string) => {
  const bytes = Buffer.from(`${header}\r\n\r\n${body}`);
  return receivedMail(await parseMail({ bytes, received_at: new Date('2026-11-21T10:00:00Z') })).notice;
};
const replyIn = async (body: string, fields = '') => {
  const header = `From: Bob <bob@acme.example>\r\nSubject: Re: Hello\r\nIn-Reply-To: <${ID}>${fields && `\r\n${fields}`}`;
  const notice = await noticeIn(header, body);
  return notice?.report.kind === 'replied' ? notice.report : undefined;
};

describe('the text of an answer', () => {
  it.each([
    [
      'Yahoo',
      'Sure.\n\n    On Saturday, November 21, 2026 at 09:31:00 AM GMT+1, Ann <a@s.example> wrote:  \n \n Hello Bob',
      'Sure.',
    ],
    [
      'Yahoo de',
      'Gern.\n\n    Am Samstag, 21. November 2026 um 09:31:00 MEZ hat Ann <a@s.example> Folgendes geschrieben:  \n \n Hallo Bob',
      'Gern.',
    ],
    [
      'Yahoo fr',
      'Oui.\n\n    Le samedi 21 novembre 2026 à 09:31:00 UTC+1, Ann <a@s.example> a écrit :  \n \n Bonjour',
      'Oui.',
    ],
    [
      'Yahoo es',
      'Sí.\n\n    El sábado, 21 de noviembre de 2026, 09:31:00 CET, Ann <a@s.example> escribió:  \n \n Hola',
      'Sí.',
    ],
    [
      'Yahoo it',
      'Sì.\n\n    Il sabato 21 novembre 2026 alle ore 09:31:00 CET, Ann <a@s.example> ha scritto:  \n \n Ciao',
      'Sì.',
    ],
    [
      'Yahoo pt',
      'Sim.\n\n    Em sábado, 21 de novembro de 2026 09:31:00 BRT, Ann <a@s.example> escreveu:  \n \n Olá',
      'Sim.',
    ],
    ['Apple Mail de', 'Ja.\n\n> Am 21.11.2026 um 09:31 schrieb Ann <a@s.example>:\n> \n> Hallo', 'Ja.'],
    [
      'Apple Mail it',
      'Sì.\n\n> Il giorno 21 nov 2026, alle ore 09:31, Ann <a@s.example> ha scritto:\n> \n> Ciao',
      'Sì.',
    ],
    [
      'Apple Mail nl',
      'Ja.\n\n> Op 21 nov 2026, om 09:31 heeft Ann <a@s.example> het volgende geschreven:\n> \n> Hallo',
      'Ja.',
    ],
    ['Apple Mail sv', 'Ja.\n\n> 21 nov. 2026 kl. 09:31 skrev Ann <a@s.example>:\n> \n> Hej', 'Ja.'],
    ['Apple Mail da', 'Ja.\n\n> Den 21. nov. 2026 kl. 09.31 skrev Ann <a@s.example>:\n> \n> Hej', 'Ja.'],
    [
      'iOS es',
      'Sí\n\nEnviado desde mi iPhone\n\n> El 21 nov 2026, a las 9:31, Ann <a@s.example> escribió:\n> \n> Hola',
      'Sí',
    ],
    ['Thunderbird it', 'Sì.\n\nIl 21/11/26 09:31, Ann ha scritto:\n> Ciao', 'Sì.'],
    ['Thunderbird nl', 'Ja.\n\nOp 21-11-2026 om 09:31 schreef Ann:\n> Hallo', 'Ja.'],
    ['Thunderbird pl', 'Tak.\n\nW dniu 21.11.2026 o 09:31, Ann pisze:\n> Hej', 'Tak.'],
    ['Thunderbird es', 'Sí.\n\nEl 21/11/26 a las 9:31, Ann escribió:\n> Hola', 'Sí.'],
    ['Thunderbird pt', 'Sim.\n\nEm 21/11/2026 09:31, Ann escreveu:\n> Olá', 'Sim.'],
    [
      'Outlook es',
      'Sí.\n\nDe: Ann <a@s.example>\nEnviado el: sábado, 21 de noviembre de 2026 9:31\nPara: Bob\nAsunto: Hola\n\nHola',
      'Sí.',
    ],
    [
      'Outlook it',
      'Sì.\n\nDa: Ann <a@s.example>\nInviato: sabato 21 novembre 2026 09:31\nA: Bob\nOggetto: Ciao\n\nCiao',
      'Sì.',
    ],
    [
      'Outlook nl',
      'Ja.\n\nVan: Ann <a@s.example>\nVerzonden: zaterdag 21 november 2026 09:31\nAan: Bob\nOnderwerp: Hallo\n\nHallo',
      'Ja.',
    ],
    [
      'Outlook pt',
      'Sim.\n\nDe: Ann <a@s.example>\nEnviada em: sábado, 21 de novembro de 2026 09:31\nPara: Bob\nAssunto: Olá\n\nOlá',
      'Sim.',
    ],
    [
      'Outlook sv',
      'Ja.\n\nFrån: Ann <a@s.example>\nSkickat: den 21 november 2026 09:31\nTill: Bob\nÄmne: Hej\n\nHej',
      'Ja.',
    ],
    ['Outlook da', 'Ja.\n\nFra: Ann <a@s.example>\nSendt: 21. november 2026 09:31\nTil: Bob\nEmne: Hej\n\nHej', 'Ja.'],
    [
      'Outlook with bold names',
      'Yes.\n\n*From:* Ann <a@s.example>\n*Sent:* Saturday, November 21, 2026 9:31 AM\n*To:* Bob\n*Subject:* Hello\n\nHello',
      'Yes.',
    ],
    ['interleaved', 'Hi,\n\n> Ten minutes?\n\nYes.\n\n> Monday?\n\nNo, Tuesday.\n', 'Hi,\n\nYes.\n\nNo, Tuesday.'],
    ['below a separator', 'Yes.\n\n-----Ursprüngliche Nachricht-----\nVon: Ann\nGesendet: 21.11.2026\n\nHallo', 'Yes.'],
    ['Apple Mail fi', 'Kyllä.\n\n> Ann <a@s.example> kirjoitti 21.11.2026 kello 9.31:\n> \n> Hei', 'Kyllä.'],
    [
      'Apple Mail hu',
      'Igen.\n\n> 2026. nov. 21. dátummal, 9:31 időpontban Ann <a@s.example> írta:\n> \n> Szia',
      'Igen.',
    ],
    ['Apple Mail ru', 'Да.\n\n> 21 нояб. 2026 г., в 09:31, Ann <a@s.example> написал(а):\n> \n> Привет', 'Да.'],
    ['Apple Mail ja', 'はい。\n\n> 2026/11/21 9:31、Ann <a@s.example>のメール:\n> \n> こんにちは', 'はい。'],
    ['Proton fr', 'Oui.\n\nLe samedi 21 novembre 2026 à 09:31, Ann <a@s.example> a écrit :\n\n> Bonjour', 'Oui.'],
    [
      'Zimbra de',
      'Ja.\n\n----- Ursprüngliche Mail -----\nVon: "Ann" <a@s.example>\nAn: "Bob" <bob@acme.example>\nGesendet: Samstag, 21. November 2026 09:31:00\nBetreff: Hallo\n\nHallo',
      'Ja.',
    ],
    ['Roundcube', 'Yes.\n\nOn 2026-11-21 09:31, Ann wrote:\n> Hello', 'Yes.'],
    ['Roundcube de', 'Ja.\n\nAm 21.11.2026 09:31, schrieb Ann:\n> Hallo', 'Ja.'],
    [
      'GMX',
      'Ja.\n\nGesendet: Samstag, 21. November 2026 um 09:31 Uhr\nVon: "Ann" <a@s.example>\nAn: bob@acme.example\nBetreff: Hallo\n\nHallo',
      'Ja.',
    ],
    [
      'Notes',
      'Yes.\n\nFrom:   "Ann" <a@s.example>\nTo:     <bob@acme.example>\nDate:   21/11/2026 09:31\nSubject:        Hello\n\nHello',
      'Yes.',
    ],
    [
      'BlackBerry',
      'Yes.\n\n  Original Message  \nFrom: Ann <a@s.example>\nSent: Saturday, November 21, 2026 9:31 AM\nTo: Bob\nSubject: Hello\n\nHello',
      'Yes.',
    ],
    [
      'Samsung de',
      'Ja.\n\n-------- Ursprüngliche Nachricht --------\nVon: Ann <a@s.example>\nDatum: 21.11.26 09:31 (GMT+01:00)\nAn: bob@acme.example\nBetreff: Hallo\n\nHallo',
      'Ja.',
    ],
    [
      'Samsung fr',
      'Oui.\n\n-------- Message d’origine --------\nDe : Ann <a@s.example>\nDate : 21/11/2026 09:31 (GMT+01:00)\nÀ : bob@acme.example\nObjet : Bonjour\n\nBonjour',
      'Oui.',
    ],
    [
      'Samsung es',
      'Sí.\n\n-------- Mensaje original --------\nDe: Ann <a@s.example>\nFecha: 21/11/26 9:31 (GMT+01:00)\nA: bob@acme.example\nAsunto: Hola\n\nHola',
      'Sí.',
    ],
    ['Zoho', 'Yes.\n\n---- On Sat, 21 Nov 2026 09:31:00 +0100 Ann <a@s.example> wrote ----\n\nHello', 'Yes.'],
    ['Mailbird', 'Yes.\n\nOn 21/11/2026 09:31:00, Ann <a@s.example> wrote:\nHello', 'Yes.'],
    ['Superhuman', 'Yes.\n\nOn Sat, Nov 21, 2026 at 9:31 AM, Ann < a@s.example > wrote:\n\n> Hello', 'Yes.'],
    ['Front', 'Yes.\n\nOn November 21, 2026 at 9:31 AM GMT+1 a@s.example wrote:\n\nHello', 'Yes.'],
    [
      'Naver',
      '네.\n\n-----Original Message-----\nFrom: "Ann" <a@s.example>\nTo: <bob@acme.example>\nSent: 2026-11-21 (토) 09:31:00 (GMT+09:00)\nSubject: Hello\n\nHello',
      '네.',
    ],
    [
      'QQ',
      '好的。\n\n------------------ 原始邮件 ------------------\n发件人: "Ann" <a@s.example>;\n发送时间: 2026年11月21日(星期六) 上午9:31\n收件人: "Bob" <bob@acme.example>;\n主题: Hello\n\nHello',
      '好的。',
    ],
    ['163', '好的。\n\nAt 2026-11-21 09:31:00, "Ann" <a@s.example> wrote:\n\nHello', '好的。'],
    [
      'a question with a date',
      'Could you call me on 24 November 2026 at 10:00? Ann <ann@acme.example> joins.',
      'Could you call me on 24 November 2026 at 10:00? Ann <ann@acme.example> joins.',
    ],
  ])('is the new part alone: %s', async (_, text, expected) => {
    expect((await replyIn(text))?.text).toBe(expected);
  });

  it.each([
    [
      'a disclaimer',
      'Yes, Monday works.\n\nThis e-mail is confidential. If you are not the intended recipient, please do not reply to this email.',
    ],
    [
      'a quoted disclaimer',
      'Yes.\n\nOn 21 Nov 2026 at 9:31, Ann <a@s.example> wrote:\n> This is an automated message. Please do not reply.',
    ],
    ['a holiday', 'I was on vacation, sorry. Out of office is over: call me.'],
    ['an answer about an autoresponder', 'That was our automatic reply. I am a person.'],
    ['a scanner’s line', 'OK.\n\n--\nThis email has been checked for viruses by Avast.'],
    ['a question', 'Are you a human or a robot? Please confirm.'],
  ])('is that of a person: %s', async (_, text) => {
    expect(await replyIn(text)).toMatchObject({ classification: 'reply' });
  });
});

describe('a request to be unsubscribed', () => {
  it.each([
    'Unsubscribe',
    'UNSUBSCRIBE!!',
    'unsubscribe me please',
    'Please remove me from your list.',
    'Take me off this list',
    'Hi Ann,\n\nPlease unsubscribe me.\n\nThanks,\nBob Smith\nAcme Ltd',
    'STOP',
    'Please stop emailing me.',
    'Opt out',
    'Remove',
    'Not interested, please remove me.',
    'Do not contact me again',
    "Don't email me anymore.",
    'Désinscrivez-moi',
    'Merci de me désinscrire de votre liste',
    'Veuillez me retirer de vos listes.',
    'Ne m’écrivez plus.',
    'Bitte abmelden',
    'Bitte nehmen Sie mich aus dem Verteiler.',
    'Bitte löschen Sie meine E-Mail-Adresse aus Ihrem Verteiler',
    'Keine weiteren E-Mails bitte.',
    'Denme de baja',
    'Por favor, darme de baja de su lista.',
    'No me escriban más',
    'Cancellatemi dalla lista',
    'Non scrivetemi più',
    'Disiscrivetemi',
    'Schrijf me uit',
    'Graag afmelden',
    'Remova-me da lista',
    'Por favor, remover meu e-mail da lista',
    'Descadastrar',
    'Unsubscribe\n\nSent from my iPhone',
  ])('counts: %j', async (text) => {
    const reply = await replyIn(`${text}\n\nOn 21 Nov 2026 at 9:31, Ann <a@s.example> wrote:\n> Hello`);
    expect(asksToUnsubscribe(reply?.text ?? '')).toBe(true);
  });

  it.each([
    'Yes, call me.',
    'How do people unsubscribe in your product?',
    'I would like to unsubscribe from our current vendor and try yours.',
    'Do not remove me from the list!',
    "Please don't unsubscribe me.",
    'We had 40 unsubscribes last week. Can you help?',
    'Please remove the pricing from the contract.',
    'Stop by on Monday.',
    'Can we opt out of the contract later?',
    'Your unsubscribe link is broken?',
    'No',
    'Not interested.',
    'Bitte melden Sie sich am Montag.',
    'Ne me retirez pas de la liste.',
  ])('does not count: %j', async (text) => {
    const reply = await replyIn(
      `${text}\n\nOn 21 Nov 2026 at 9:31, Ann <a@s.example> wrote:\n> Unsubscribe me\n> Unsubscribe`,
    );
    expect(asksToUnsubscribe(reply?.text ?? '')).toBe(false);
  });
});

describe('an automatic answer', () => {
  it.each([
    ['Please verify that you are a human: https://x.example/c', 'automatic'],
    [
      'Votre message est en attente. Cliquez ici pour confirmer que vous êtes une personne humaine : https://x.example',
      'automatic',
    ],
    ['Bitte bestätigen Sie, dass Sie ein Mensch sind: https://x.example', 'automatic'],
    ['This is an automatic reply. We have received your message.', 'automatic'],
    ['Ceci est une réponse automatique. Merci de ne pas répondre.', 'automatic'],
    ['Dies ist eine automatische Antwort. Ich bin bis 5. Dezember nicht im Büro.', 'out_of_office'],
  ])('is that of a machine: %j', async (text, classification) => {
    expect(await replyIn(text)).toMatchObject({ classification });
  });
});

describe('a mail of a server that is no bounce', () => {
  it.each(['delivered', 'relayed', 'expanded', 'delayed'])('a report with the action %s', async (action) => {
    const header = `From: MAILER-DAEMON@mx.example\r\nSubject: Delivery Notification\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b`;
    const body = `--b\r\n\r\ndone\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; bob@acme.example\r\nAction: ${action}\r\nStatus: 2.0.0\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${RETURNED}\r\n--b--`;
    expect((await noticeIn(header, body))?.report.kind).toBe(action === 'delivered' ? 'delivered' : undefined);
  });

  it.each([
    [
      'a delay in German',
      'From: MAILER-DAEMON@mx.example\r\nSubject: Verzögerte Zustellung',
      `Ihre Nachricht konnte noch nicht zugestellt werden. Weitere Zustellversuche folgen.\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay in Spanish',
      'From: MAILER-DAEMON@mx.example\r\nSubject: Aviso',
      `La entrega se ha retrasado. Se seguirá intentando.\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay of Exim',
      'From: Mail Delivery System <Mailer-Daemon@mx.example>\r\nSubject: Warning: message 1abc delayed 24 hours',
      `This message was created automatically by mail delivery software.\r\nA message that you sent has not yet been delivered to one or more of its recipients after more than 24 hours.\r\n\r\n${RETURNED}`,
    ],
    [
      'a relayed message',
      'From: MAILER-DAEMON@mx.example\r\nSubject: Successful Mail Delivery Report',
      `Your message was successfully delivered to the destination(s) listed below.\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay of Gmail',
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\r\nSubject: Delivery Status Notification (Delay)',
      `There was a temporary problem delivering your message to bob@acme.example. Gmail will retry for 46 more hours.\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay in French',
      'From: MAILER-DAEMON@mx.example\r\nSubject: Remise retardée',
      `La remise de votre message est retardée.\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay in Italian',
      'From: postmaster@mx.example\r\nSubject: Consegna ritardata',
      `La consegna del messaggio è ritardata. 451 4.4.1 timeout\r\n\r\n${RETURNED}`,
    ],
    [
      'a delay of Outlook',
      'From: postmaster@acme.example\r\nSubject: Delivery delayed: Hello',
      `Delivery is delayed to these recipients. The server will keep trying.\r\n\r\n${RETURNED}`,
    ],
  ])('%s', async (_, header, body) => {
    expect((await noticeIn(header, body))?.report.kind).not.toBe('bounced');
  });

  it.each(['Read: Hello', 'Gelesen: Hello'])('a confirmation of reading: %s', async (subject) => {
    const header = `From: bob@acme.example\r\nSubject: ${subject}\r\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b`;
    const body = `--b\r\n\r\nread\r\n--b\r\nContent-Type: message/disposition-notification\r\n\r\nOriginal-Message-ID: <${ID}>\r\nDisposition: manual-action/MDN-sent-manually; displayed\r\n--b--`;
    expect(await noticeIn(header, body)).toBeUndefined();
  });
});
