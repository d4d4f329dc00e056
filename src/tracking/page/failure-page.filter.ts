import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import {
  type ErrorPage,
  ErrorPageFilter,
  html,
  type Language,
  languageOf,
  MESSAGE_PAGE_HEADERS,
  messagePage,
} from '../../platform/pages/index.js';

type Messages = Readonly<Record<Language, { readonly title: string; readonly text: string }>>;

const UNKNOWN_LINK: Messages = {
  en: {
    title: 'This link does not work',
    text: 'It may be incomplete: please open it from the email again. If your address was deleted in the meantime, nothing more is sent to it.',
  },
  fr: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet : ouvrez-le de nouveau depuis l’e-mail. Si votre adresse a été supprimée entre-temps, plus rien ne lui est envoyé.',
  },
};

const SERVER_ERROR: Messages = {
  en: { title: 'That did not work', text: 'Nothing has changed. Please try again in a moment.' },
  fr: { title: 'Cela n’a pas fonctionné', text: 'Rien n’a changé. Veuillez réessayer dans un instant.' },
};

/** Shows errors to recipients as pages in their language. */
@Catch()
export class FailurePageFilter extends ErrorPageFilter {
  protected page(status: number, request: Request): ErrorPage {
    const language = languageOf(request);
    const { title, text } = (status === 404 ? UNKNOWN_LINK : SERVER_ERROR)[language];
    return { headers: MESSAGE_PAGE_HEADERS, html: messagePage(language, title, html`<p>${text}</p>`) };
  }
}
