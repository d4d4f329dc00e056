import { html } from '@outreach/html-pages';
import { backLink } from './components.js';
import { galleryPage, type PageContext } from './gallery-page.js';

/** Returns the page of an error: that the page does not exist, or that it cannot be shown at the moment. */
export function errorPage(context: PageContext, isMissing: boolean): string {
  const { urls, messages } = context;
  const [title, text] = isMissing ? [messages.notFound, messages.notFoundText] : [messages.failed, messages.failedText];
  const content = html`<div class="intro">
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${backLink(urls, messages)}
  </div>`;
  return galleryPage(context, { title, content });
}
