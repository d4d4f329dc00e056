import { html, type Language, messagePage } from '../../platform/pages/index.js';

/** Whom an unsubscribe link unsubscribes. */
export interface Recipient {
  readonly email: string;
}

interface Messages {
  readonly title: string;
  /** Followed by the address. */
  readonly text: string;
  readonly button: string;
  readonly doneTitle: string;
  readonly onItsWay: string;
}

const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: {
    title: 'Unsubscribe?',
    text: 'No more of these emails will be sent to',
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    onItsWay: 'One that is already on its way may still arrive.',
  },
  fr: {
    title: 'Se désinscrire ?',
    text: 'Ces e-mails ne seront plus envoyés à',
    button: 'Me désinscrire',
    doneTitle: 'Désinscription confirmée',
    onItsWay: 'Un message déjà en route peut encore vous parvenir.',
  },
};

/** Asks for confirmation, because mail scanners and link previews follow links but do not submit forms. */
export function questionPage(language: Language, { email }: Recipient): string {
  const { title, text, button } = MESSAGES[language];
  const form = html`<form method="post"><button type="submit">${button}</button></form>`;
  return messagePage(
    language,
    title,
    html`<p>${text} <strong>${masked(email)}</strong>.</p>
      ${form}`,
  );
}

/** Confirms that the address is unsubscribed, even if it already was before. */
export function confirmationPage(language: Language, { email }: Recipient): string {
  const { doneTitle, text, onItsWay } = MESSAGES[language];
  const soft = html`<p class="soft">${onItsWay}</p>`;
  return messagePage(
    language,
    doneTitle,
    html`<p>${text} <strong>${masked(email)}</strong>.</p>
      ${soft}`,
  );
}

/** `claire@acme.example` → `c•••@acme.example`: the owner recognises it, and a forwarded message reveals little. */
function masked(email: string): string {
  const [first = ''] = email;
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`;
}
