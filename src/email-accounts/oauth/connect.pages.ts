import type { Response } from 'express';
import {
  html,
  type Language,
  MESSAGE_PAGE_HEADERS,
  messagePage,
  messagePageHeaders,
} from '../../platform/pages/index.js';
import { respondWith } from './callback.pages.js';
import type { AgreedConnection, ConnectionQuestion, ConnectionResult } from './connection-result.js';
import { PROVIDERS } from '../providers/providers.js';

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
 * Browsers apply `form-action` to every redirect after the form: to the provider, from there perhaps to the login of a company,
 * and to the application.
 */
const QUESTION_HEADERS = messagePageHeaders({ formTargets: ['https:', 'http:'] });

/** Asks a person whether to connect a mailbox; or responds as after the provider if there is no question. */
export function showQuestion(
  response: Response,
  language: Language,
  result: ConnectionQuestion | ConnectionResult,
): string {
  if (result.kind !== 'question') return respondWith(response, language, result);
  response.set(QUESTION_HEADERS);
  return questionPage(language, result);
}

/** Sends the browser of a person who has agreed to the provider; otherwise responds as after it. */
export function leadToProvider(
  response: Response,
  language: Language,
  result: AgreedConnection | ConnectionResult,
): string {
  if (result.kind !== 'agreed') return respondWith(response, language, result);
  response.set(MESSAGE_PAGE_HEADERS).location(result.authorization_url);
  return '';
}

function questionPage(language: Language, { provider, workspace_name: name }: ConnectionQuestion): string {
  const { title, before, after, abilities, duration, warning, button } = MESSAGES[language];
  const named = (text: string): string => text.replace('{provider}', PROVIDERS[provider].name);
  const content = html`<p>${before} <strong dir="auto">${name}</strong> ${named(after)}</p>
    <ul>
      ${abilities.map((ability) => html`<li>${ability}</li>`)}
    </ul>
    <p>${duration}</p>
    <p>${warning}</p>
    <form method="post"><button type="submit">${named(button)}</button></form>`;
  return messagePage(language, title, content);
}
