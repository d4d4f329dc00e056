import { html, messagePage } from '@outreach/html-pages';
import type { ReaderLanguage } from './reader-language.js';

type Messages = Readonly<Record<ReaderLanguage, { readonly title: string; readonly text: string }>>;

const UNKNOWN_LINK: Messages = {
  en: {
    title: 'This link does not work',
    text: 'It may be incomplete: please open it from the email again. If your address was deleted in the meantime, nothing more is sent to it.',
  },
  fr: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet : ouvrez-le de nouveau depuis l’e-mail. Si votre adresse a été supprimée entre-temps, plus rien ne lui est envoyé.',
  },
  de: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht ist er unvollständig: Bitte öffnen Sie ihn noch einmal aus der E-Mail. Falls Ihre Adresse inzwischen gelöscht wurde, wird nichts mehr an sie gesendet.',
  },
  es: {
    title: 'Este enlace no funciona',
    text: 'Puede que esté incompleto: ábralo de nuevo desde el correo. Si su dirección se ha eliminado entretanto, ya no se le envía nada.',
  },
  it: {
    title: 'Questo link non funziona',
    text: 'Forse è incompleto: lo apra di nuovo dall’e-mail. Se nel frattempo il suo indirizzo è stato eliminato, non gli viene più inviato nulla.',
  },
  nl: {
    title: 'Deze link werkt niet',
    text: 'Misschien is hij onvolledig: open hem opnieuw vanuit de e-mail. Als uw adres intussen is verwijderd, wordt er niets meer naar verzonden.',
  },
  pt: {
    title: 'Este link não funciona',
    text: 'Talvez esteja incompleto: abra-o de novo a partir do e-mail. Se o seu endereço foi eliminado entretanto, nada mais lhe é enviado.',
  },
};

const SERVER_ERROR: Messages = {
  en: { title: 'That did not work', text: 'Nothing has changed. Please try again in a moment.' },
  fr: { title: 'Cela n’a pas fonctionné', text: 'Rien n’a changé. Veuillez réessayer dans un instant.' },
  de: {
    title: 'Das hat nicht funktioniert',
    text: 'Es hat sich nichts geändert. Bitte versuchen Sie es gleich noch einmal.',
  },
  es: { title: 'No ha funcionado', text: 'No ha cambiado nada. Vuelva a intentarlo dentro de un momento.' },
  it: { title: 'Non ha funzionato', text: 'Non è cambiato nulla. Riprovi tra un momento.' },
  nl: { title: 'Dat is niet gelukt', text: 'Er is niets veranderd. Probeer het zo dadelijk opnieuw.' },
  pt: { title: 'Não funcionou', text: 'Nada mudou. Tente de novo dentro de momentos.' },
};

/** Returns the page of a link that does not work, or that cannot be answered at the moment. */
export function failurePage(language: ReaderLanguage, isUnknown: boolean): string {
  const { title, text } = (isUnknown ? UNKNOWN_LINK : SERVER_ERROR)[language];
  return messagePage(language, title, html`<p>${text}</p>`);
}
