import { Html, html } from './html.js';
import { htmlDocument } from './html-document.js';
import { styleSheet } from './inline-code.js';
import { type PageHeaders, pageHeaders } from './page-headers.js';
import { THEME } from './theme.js';

const STYLE = styleSheet(`${THEME}
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem }
main { width: 100%; max-width: 30rem; padding: clamp(1.25rem, 6vw, 2.25rem); border-radius: 0.875rem; background: var(--paper); box-shadow: 0 0.0625rem 0.25rem rgb(0 0 0 / 0.16) }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
p:last-child { margin-bottom: 0 }
ul { margin: 0 0 1rem; padding-left: 1.25rem }
.soft { color: var(--soft) }
header { margin: 0 0 1.25rem; color: var(--soft); overflow-wrap: anywhere }
.logo { display: block; max-width: 100%; height: 2.5rem; margin: 0 0 0.75rem; padding: 0.25rem; border-radius: 0.375rem; background: #ffffff; color: #1c2430; object-fit: contain; object-position: left }
button, .button { width: 100%; min-height: 3rem; margin-top: 0.5rem; padding: 0.5rem 1rem; border: 0; border-radius: 0.5rem; background: var(--act); color: var(--on-act); font: inherit; font-weight: 600; cursor: pointer }
.button { display: block; padding: 0.75rem 1rem; text-align: center; text-decoration: none }
button.second { background: none; color: var(--act); border: 0.0625rem solid var(--act) }
h2 { margin: 2rem 0 0.5rem; font-size: 1.0625rem; line-height: 1.35 }
button:hover, .button:hover { filter: brightness(1.08) }
`);

/** What a page that shows one message or question may do beside that. */
export interface MessagePagePolicy {
  /** It loads images from the origin of this URL. */
  readonly logoUrl?: string;
  /** The origins and schemes to which the response to its form may lead the browser (CSP Level 3, `form-action`). */
  readonly formTargets?: readonly string[];
}

/** Returns {@link MESSAGE_PAGE_HEADERS} for a page that may do more. */
export const messagePageHeaders = ({ logoUrl, formTargets = [] }: MessagePagePolicy): PageHeaders => ({
  ...pageHeaders({
    style: STYLE,
    directives: [
      ...(logoUrl === undefined ? [] : [`img-src ${new URL(logoUrl).origin}`]),
      ['form-action', `'self'`, ...formTargets].join(' '),
    ],
    cache: 'no-store',
  }),
  'X-Robots-Tag': 'noindex, nofollow',
});

/**
 * The headers of a page that shows one message or question. Its URL contains a secret: the page must not be cached,
 * indexed, sent as a referrer or framed, and it loads no resources and runs no scripts.
 */
export const MESSAGE_PAGE_HEADERS = messagePageHeaders({});

const NOT_INDEXED = html`<meta name="robots" content="noindex, nofollow" /><meta
    name="referrer"
    content="no-referrer"
  />`;

/**
 * Returns a page that shows one message or question to a person.
 * @param language of its texts (RFC 5646)
 * @param header what is above the title
 */
export const messagePage = (language: string, title: string, content: Html, header = new Html('')): string =>
  htmlDocument({
    language,
    title,
    style: STYLE,
    head: NOT_INDEXED,
    body: html`<main>
      ${header}
      <h1>${title}</h1>
      ${content}
    </main>`,
  });
