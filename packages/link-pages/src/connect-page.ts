import { html, type Language, messagePage, messagePageHeaders } from '@outreach/html-pages';

interface Messages {
  readonly title: string;
  /** Around the name of the workspace. */
  readonly before: string;
  readonly after: string;
  readonly abilities: readonly string[];
  readonly duration: string;
  readonly warning: string;
  readonly button: string;
}

/** `{provider}` stands for the name of the provider. */
const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: {
    title: 'Connect a mailbox?',
    before: 'The workspace',
    after: 'will be able to do this with the mailbox that you choose at {provider}:',
    abilities: ['send emails from its address', 'read its emails, to find replies and bounces'],
    duration: 'It can do so at any time, until you remove this application from the settings of your account there.',
    warning: 'If you do not know this workspace, or did not want to connect a mailbox to it, close this page.',
    button: 'Continue to {provider}',
  },
  fr: {
    title: 'Connecter une boîte mail\u202f?',
    before: 'L’espace de travail',
    after: 'pourra faire ceci avec la boîte mail que vous choisirez chez {provider}\u00a0:',
    abilities: [
      'envoyer des e-mails depuis son adresse',
      'lire ses e-mails, pour trouver les réponses et les messages non distribués',
    ],
    duration:
      'Il le pourra à tout moment, tant que vous ne retirez pas cette application des paramètres de votre compte.',
    warning:
      'Si vous ne connaissez pas cet espace de travail, ou ne vouliez pas lui connecter de boîte mail, fermez cette page.',
    button: 'Continuer vers {provider}',
  },
};

/**
 * The headers of the question. Browsers apply `form-action` to every redirect after the form: to the provider, from there perhaps to the login of a company,
 * and to the application.
 */
export const CONNECT_PAGE_HEADERS = messagePageHeaders({ formTargets: ['https:', 'http:'] });

/** What a person is asked. */
export interface ConnectQuestion {
  /** The name of the provider of the mailbox. */
  readonly provider_name: string;
  readonly workspace_name: string;
}

/** Asks a person whether to connect a mailbox. */
export function connectPage(
  language: Language,
  { provider_name: provider, workspace_name: name }: ConnectQuestion,
): string {
  const { title, before, after, abilities, duration, warning, button } = MESSAGES[language];
  const named = (text: string): string => text.replace('{provider}', provider);
  const content = html`<p>${before} <strong dir="auto">${name}</strong> ${named(after)}</p>
    <ul>
      ${abilities.map((ability) => html`<li>${ability}</li>`)}
    </ul>
    <p>${duration}</p>
    <p>${warning}</p>
    <form method="post"><button type="submit">${named(button)}</button></form>`;
  return messagePage(language, title, content);
}
