import type { Response } from 'express';
import { Html, html, type Language, messagePage, messagePageHeaders } from '../../platform/pages/index.js';
import type { UnsubscribedRecipient } from '../../sending/index.js';

interface Messages {
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

const MESSAGES: Readonly<Record<Language, Messages>> = {
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
};

/** Shows a page, which may load the logo of the sender if there is one. */
export function showWithLogo(
  response: Response,
  page: (language: Language, recipient: UnsubscribedRecipient) => string,
  language: Language,
  recipient: UnsubscribedRecipient,
): string {
  if (recipient.logo_url !== null) response.set(messagePageHeaders(recipient.logo_url));
  return page(language, recipient);
}

/** Asks for confirmation, because mail scanners and link previews follow links but do not submit forms. */
export function questionPage(language: Language, recipient: UnsubscribedRecipient): string {
  const { title, text, button, trackingTitle, tracking, trackingButton } = MESSAGES[language];
  const form = html`<form method="post"><button type="submit">${button}</button></form>`;
  const refusal = html`<form method="post">
    <input type="hidden" name="tracking" value="refuse" />
    <button type="submit" class="second" aria-describedby="tracking">${trackingButton}</button>
  </form>`;
  const content = html`<p>${text} <strong>${masked(recipient.email)}</strong>.</p>
    ${form}
    <h2>${trackingTitle}</h2>
    <p class="soft" id="tracking">${tracking}</p>
    ${refusal}`;
  return messagePage(language, title, content, senderOf(language, recipient));
}

/** Confirms that opens and clicks are not measured any more. */
export function trackingRefusedPage(language: Language, recipient: UnsubscribedRecipient): string {
  const { trackingDoneTitle, trackingDone } = MESSAGES[language];
  const content = html`<p>${trackingDone} <strong>${masked(recipient.email)}</strong>.</p>`;
  return messagePage(language, trackingDoneTitle, content, senderOf(language, recipient));
}

/** Confirms that the address is unsubscribed, even if it already was before. */
export function confirmationPage(language: Language, recipient: UnsubscribedRecipient): string {
  const { doneTitle, text, onItsWay } = MESSAGES[language];
  const content = html`<p>${text} <strong>${masked(recipient.email)}</strong>.</p>
    <p class="soft">${onItsWay}</p>`;
  return messagePage(language, doneTitle, content, senderOf(language, recipient));
}

/** The logo and the names of the sender and its brand, as far as they are known. */
function senderOf(language: Language, recipient: UnsubscribedRecipient): Html {
  const { sender_name: sender, brand_name: brand, logo_url: logo } = recipient;
  const names = [...new Set([sender, brand].filter((name) => name !== null))].join(', ');
  if (names === '' && logo === null) return new Html('');
  // The names follow as text.
  const image = logo === null ? new Html('') : html`<img class="logo" src="${logo}" alt="" />`;
  return html`<header>${image}${names === '' ? '' : `${MESSAGES[language].sender} ${names}`}</header>`;
}

/** `claire@acme.example` → `c•••@acme.example`: the owner recognises it, and a forwarded message reveals little. */
function masked(email: string): string {
  const [first = ''] = email;
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`;
}
