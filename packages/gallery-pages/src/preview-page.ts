import { Html, html, htmlDocument, type Language, styleSheet } from '@outreach/html-pages';

/**
 * The headers of a rendered body. Its author is not trusted, so it may contain inline styles and inline images, but it
 * cannot load external resources, run scripts or submit forms, also if it is opened outside of a frame.
 */
export const PREVIEW_HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; ` +
    `frame-ancestors 'self'; sandbox`,
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const LETTER = styleSheet(`
:root { color-scheme: light dark }
body { max-width: 38rem; margin: 0; padding: 1.5rem; background: #ffffff; color: #1c2430; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
p { margin: 0 0 1rem }
a { color: #1a56c4 }
@media (prefers-color-scheme: dark) {
  body { background: #1d232c; color: #eef1f5 }
  a { color: #8ab4ff }
}
`);

/** A rendered email, and its language. */
export interface RenderedEmail {
  readonly subject: string;
  readonly body: string;
  readonly locale: Language;
}

/** Returns whether a body is a complete document with a layout of its own, and not a fragment that looks like a letter. */
export const isDocument = (body: string): boolean => /<(?:!doctype|html|body)\b/i.test(body.slice(0, 1000));

/** Returns the body as a recipient would see it; a fragment is wrapped in a document. */
export function previewPage({ subject, body, locale }: RenderedEmail, isComplete: boolean): string {
  if (isComplete) return withLinksDisabled(body);
  return withLinksDisabled(htmlDocument({ language: locale, title: subject, style: LETTER, body: new Html(body) }));
}

const OPEN_IN_NEW_WINDOW = html`<base target="_blank" />`.text;

/** Makes links open a new window, which the sandbox prevents. Without this they would open in the frame. */
const withLinksDisabled = (page: string): string => {
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(page) ?? [];
  return doctype + OPEN_IN_NEW_WINDOW + page.slice(doctype.length);
};
