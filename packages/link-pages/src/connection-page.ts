import { html, type Language, messagePage } from '@outreach/html-pages';

interface Message {
  readonly title: string;
  readonly text: string;
}

/** How an attempt to connect a mailbox has ended. */
export type ConnectionOutcome =
  | 'connected'
  | 'denied'
  | 'expired'
  | 'used'
  | 'other_browser'
  | 'provider_error'
  | 'no_refresh_token'
  | 'limit_reached'
  | 'unknown'
  | 'later';

const ENGLISH: Readonly<Record<ConnectionOutcome, Message>> = {
  connected: { title: 'The mailbox is connected', text: 'You can close this page.' },
  denied: {
    title: 'The mailbox is not connected',
    text: 'You have not allowed access to it. If that was not your intention, start again in your application.',
  },
  expired: {
    title: 'This attempt has expired',
    text: 'It was open for more than ten minutes. Please start again in your application.',
  },
  used: {
    title: 'This attempt has already ended',
    text: 'This page was opened a second time. Your application shows whether the mailbox is connected.',
  },
  other_browser: {
    title: 'The mailbox is not connected',
    text: 'This is not the browser in which the connection was begun, or it accepts no cookies. Please open the link of your application again, in this browser.',
  },
  provider_error: {
    title: 'The mailbox is not connected',
    text: 'The provider of the mailbox reported an error. Please start again in your application.',
  },
  no_refresh_token: {
    title: 'The mailbox is not connected',
    text: 'The provider allowed access for a short time only. Remove this application from the settings of your account there, then start again.',
  },
  limit_reached: {
    title: 'The mailbox is not connected',
    text: 'The workspace has as many email accounts as it may have. Delete one of them, then start again.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'It is incomplete, or it was not made by this service. Please start again in your application.',
  },
  later: { title: 'That did not work', text: 'Nothing has changed. Please try again in a moment.' },
};

const FRENCH: Readonly<Record<ConnectionOutcome, Message>> = {
  connected: { title: 'La boîte mail est connectée', text: 'Vous pouvez fermer cette page.' },
  denied: {
    title: 'La boîte mail n’est pas connectée',
    text: 'Vous n’avez pas autorisé l’accès. Si ce n’était pas votre intention, recommencez dans votre application.',
  },
  expired: {
    title: 'Cette demande a expiré',
    text: 'Elle était ouverte depuis plus de dix minutes. Veuillez recommencer dans votre application.',
  },
  used: {
    title: 'Cette demande est déjà terminée',
    text: 'Cette page a été ouverte une deuxième fois. Votre application indique si la boîte mail est connectée.',
  },
  other_browser: {
    title: 'La boîte mail n’est pas connectée',
    text: 'Ce navigateur n’est pas celui dans lequel la connexion a commencé, ou il n’accepte pas les cookies. Veuillez ouvrir de nouveau le lien de votre application, dans ce navigateur.',
  },
  provider_error: {
    title: 'La boîte mail n’est pas connectée',
    text: 'Le fournisseur de la boîte mail a signalé une erreur. Veuillez recommencer dans votre application.',
  },
  no_refresh_token: {
    title: 'La boîte mail n’est pas connectée',
    text: 'Le fournisseur n’a autorisé l’accès que pour peu de temps. Retirez cette application des paramètres de votre compte chez lui, puis recommencez.',
  },
  limit_reached: {
    title: 'La boîte mail n’est pas connectée',
    text: 'L’espace de travail a atteint son nombre maximal de comptes e-mail. Supprimez-en un, puis recommencez.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est incomplet, ou ne vient pas de ce service. Veuillez recommencer dans votre application.',
  },
  later: { title: 'Cela n’a pas fonctionné', text: 'Rien n’a changé. Veuillez réessayer dans un instant.' },
};

const MESSAGES: Readonly<Record<Language, Readonly<Record<ConnectionOutcome, Message>>>> = { en: ENGLISH, fr: FRENCH };

/** Returns the page of an attempt to connect a mailbox. `later`: it can be repeated. */
export function connectionPage(language: Language, outcome: ConnectionOutcome): string {
  const { title, text } = MESSAGES[language][outcome];
  return messagePage(language, title, html`<p>${text}</p>`);
}
