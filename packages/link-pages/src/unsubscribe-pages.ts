import { Html, html, messagePage } from '@outreach/html-pages';
import type { ReaderLanguage } from './reader-language.js';
import { UNSUBSCRIBE_MESSAGES as MESSAGES } from './unsubscribe-messages.js';

/** Whom a page is for, and who has sent the mail. */
export interface PageRecipient {
  readonly email: string;
  /** Null if it is not known any more. */
  readonly sender_name: string | null;
  readonly brand_name: string | null;
  readonly logo_url: string | null;
}

/** Asks for confirmation, because mail scanners and link previews follow links but do not submit forms. */
export function questionPage(language: ReaderLanguage, recipient: PageRecipient): string {
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

/**
 * Returns the page at a domain that belongs to another workspace now: it leads to the page with the buttons.
 * @param url the address of that page at the service
 */
export function pageThatLeadsTo(url: string) {
  return (language: ReaderLanguage, recipient: PageRecipient): string => {
    const { title, text, button } = MESSAGES[language];
    const content = html`<p>${text} <strong>${masked(recipient.email)}</strong>.</p>
      <p><a class="button" href="${url}">${button}</a></p>`;
    return messagePage(language, title, content, senderOf(language, recipient));
  };
}

/**
 * Returns a recipient for a page at the domain of another workspace, which must not look like a page of that: it names no sender.
 */
export const withoutSender = <Recipient extends PageRecipient>(recipient: Recipient): Recipient => ({
  ...recipient,
  sender_name: null,
  brand_name: null,
  logo_url: null,
});

/** Confirms that opens and clicks are not measured any more. */
export function trackingRefusedPage(language: ReaderLanguage, recipient: PageRecipient): string {
  const { trackingDoneTitle, trackingDone } = MESSAGES[language];
  const content = html`<p>${trackingDone} <strong>${masked(recipient.email)}</strong>.</p>`;
  return messagePage(language, trackingDoneTitle, content, senderOf(language, recipient));
}

/** Confirms that the address is unsubscribed, even if it already was before. */
export function confirmationPage(language: ReaderLanguage, recipient: PageRecipient): string {
  const { doneTitle, text, onItsWay } = MESSAGES[language];
  const content = html`<p>${text} <strong>${masked(recipient.email)}</strong>.</p>
    <p class="soft">${onItsWay}</p>`;
  return messagePage(language, doneTitle, content, senderOf(language, recipient));
}

/** The logo and the names of the sender and its brand, as far as they are known. */
function senderOf(language: ReaderLanguage, recipient: PageRecipient): Html {
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
