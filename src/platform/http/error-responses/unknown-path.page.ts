import { Html, html, messagePage } from '@outreach/html-pages';

/**
 * Returns the page for people who open a path of the API that does not exist.
 * @param path of the request; the link of the page is relative to it, so that it also holds behind a proxy
 * @param similar the operation that is probably meant
 */
export function unknownPathPage(path: string, similar: string | undefined): string {
  const reference = `${'../'.repeat(Math.max(0, path.split('/').length - 2))}docs`;
  return messagePage(
    'en',
    'There is nothing at this address',
    html`<p>This is the API of an email outreach service. It has no such path.</p>
      ${similar === undefined ? new Html('') : html`<p>Did you mean <code>${similar}</code>?</p>`}
      <a class="button" href="${reference}">API reference</a>`,
  );
}
