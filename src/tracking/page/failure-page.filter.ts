import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import { type FailurePage, FailurePages, html, type Language, languageOf } from '../../platform/pages/index.js';
import { page, PAGE_HEADERS } from './page.js';

type Words = Readonly<Record<Language, { readonly title: string; readonly text: string }>>;

const UNKNOWN_LINK: Words = {
  en: {
    title: 'This link does not work',
    text: 'It may be incomplete: please open it from the email again. If your address was deleted in the meantime, nothing more is sent to it.',
  },
  fr: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet : ouvrez-le de nouveau depuis l’e-mail. Si votre adresse a été supprimée entre-temps, plus rien ne lui est envoyé.',
  },
};

const OUR_FAULT: Words = {
  en: { title: 'That did not work', text: 'Nothing has changed. Please try again in a moment.' },
  fr: { title: 'Cela n’a pas fonctionné', text: 'Rien n’a changé. Veuillez réessayer dans un instant.' },
};

/** Answers errors to recipients, in their language. */
@Catch()
export class FailurePageFilter extends FailurePages {
  protected page(status: number, request: Request): FailurePage {
    const language = languageOf(request);
    const { title, text } = (status === 404 ? UNKNOWN_LINK : OUR_FAULT)[language];
    return { headers: PAGE_HEADERS, text: page(language, title, html`<p>${text}</p>`) };
  }
}
