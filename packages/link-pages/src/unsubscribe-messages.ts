import type { ReaderLanguage } from './reader-language.js';

/** The texts of the pages behind an unsubscribe link. */
interface UnsubscribeMessages {
  readonly title: string;
  /** Followed by names. */
  readonly sender: string;
  /** Followed by the address. */
  readonly text: string;
  readonly button: string;
  readonly doneTitle: string;
  readonly onItsWay: string;
  readonly trackingTitle: string;
  readonly tracking: string;
  readonly trackingButton: string;
  readonly trackingDoneTitle: string;
  /** Followed by the address. */
  readonly trackingDone: string;
}

/** The texts, by language. */
export const UNSUBSCRIBE_MESSAGES: Readonly<Record<ReaderLanguage, UnsubscribeMessages>> = {
  en: {
    title: 'Unsubscribe?',
    sender: 'Sender:',
    text: 'No more of these emails will be sent to',
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    onItsWay: 'One that is already on its way may still arrive.',
    trackingTitle: 'Or keep the emails, without measurement',
    tracking: 'The sender can measure whether you open these emails and follow their links. You can refuse that.',
    trackingButton: 'Do not measure',
    trackingDoneTitle: 'Nothing is measured any more',
    trackingDone: 'Opens and clicks are not recorded any more, also not for emails that were sent already, to',
  },
  fr: {
    // With the narrow no-break space of French typography.
    title: 'Se désinscrire\u202f?',
    sender: 'Expéditeur\u00a0:',
    text: 'Ces e-mails ne seront plus envoyés à',
    button: 'Me désinscrire',
    doneTitle: 'Désinscription confirmée',
    onItsWay: 'Un message déjà en route peut encore vous parvenir.',
    trackingTitle: 'Ou garder les e-mails, sans mesure',
    tracking: 'L’expéditeur peut mesurer si vous ouvrez ces e-mails et suivez leurs liens. Vous pouvez le refuser.',
    trackingButton: 'Ne pas mesurer',
    trackingDoneTitle: 'Plus rien n’est mesuré',
    trackingDone: 'Les ouvertures et les clics ne sont plus enregistrés, même pour les e-mails déjà envoyés, à',
  },
  de: {
    title: 'Abmelden?',
    sender: 'Absender:',
    text: 'Diese E-Mails werden nicht mehr gesendet an',
    button: 'Abmelden',
    doneTitle: 'Sie sind abgemeldet',
    onItsWay: 'Eine Nachricht, die schon unterwegs ist, kann noch ankommen.',
    trackingTitle: 'Oder die E-Mails behalten, ohne Messung',
    tracking: 'Der Absender kann messen, ob Sie diese E-Mails öffnen und ihren Links folgen. Sie können das ablehnen.',
    trackingButton: 'Nicht messen',
    trackingDoneTitle: 'Es wird nichts mehr gemessen',
    trackingDone: 'Öffnungen und Klicks werden nicht mehr erfasst, auch nicht bei schon gesendeten E-Mails, für',
  },
  es: {
    title: '¿Darse de baja?',
    sender: 'Remitente:',
    text: 'Estos correos ya no se enviarán a',
    button: 'Darme de baja',
    doneTitle: 'Se ha dado de baja',
    onItsWay: 'Un mensaje que ya está en camino todavía puede llegarle.',
    trackingTitle: 'O conservar los correos, sin medición',
    tracking: 'El remitente puede medir si usted abre estos correos y sigue sus enlaces. Puede rechazarlo.',
    trackingButton: 'No medir',
    trackingDoneTitle: 'Ya no se mide nada',
    trackingDone: 'Las aperturas y los clics ya no se registran, tampoco de los correos ya enviados, a',
  },
  it: {
    title: 'Annullare l’iscrizione?',
    sender: 'Mittente:',
    text: 'Queste e-mail non saranno più inviate a',
    button: 'Annulla l’iscrizione',
    doneTitle: 'Iscrizione annullata',
    onItsWay: 'Un messaggio già in viaggio può ancora arrivare.',
    trackingTitle: 'Oppure continuare a ricevere le e-mail, senza misurazione',
    tracking: 'Il mittente può misurare se lei apre queste e-mail e segue i loro link. Può rifiutarlo.',
    trackingButton: 'Non misurare',
    trackingDoneTitle: 'Non si misura più nulla',
    trackingDone: 'Aperture e clic non sono più registrati, nemmeno per le e-mail già inviate, a',
  },
  nl: {
    title: 'Afmelden?',
    sender: 'Afzender:',
    text: 'Deze e-mails worden niet meer verzonden naar',
    button: 'Afmelden',
    doneTitle: 'U bent afgemeld',
    onItsWay: 'Een bericht dat al onderweg is, kan nog aankomen.',
    trackingTitle: 'Of de e-mails blijven ontvangen, zonder meting',
    tracking: 'De afzender kan meten of u deze e-mails opent en hun links volgt. U kunt dat weigeren.',
    trackingButton: 'Niet meten',
    trackingDoneTitle: 'Er wordt niets meer gemeten',
    trackingDone: 'Openen en klikken worden niet meer geregistreerd, ook niet bij al verzonden e-mails, voor',
  },
  pt: {
    title: 'Cancelar a inscrição?',
    sender: 'Remetente:',
    text: 'Estes e-mails não serão mais enviados para',
    button: 'Cancelar inscrição',
    doneTitle: 'Inscrição cancelada',
    onItsWay: 'Uma mensagem que já está a caminho ainda pode chegar.',
    trackingTitle: 'Ou continuar a receber os e-mails, sem medição',
    tracking: 'O remetente pode medir se você abre estes e-mails e segue os seus links. Você pode recusar.',
    trackingButton: 'Não medir',
    trackingDoneTitle: 'Nada mais é medido',
    trackingDone: 'Aberturas e cliques não são mais registrados, mesmo nos e-mails já enviados, para',
  },
};
