import { html, Html } from './html.js';
import type { InlineCode } from './inline-code.js';

/** A complete page. */
export interface HtmlDocument {
  readonly language: string;
  readonly title: string;
  readonly style: InlineCode;
  /** Further elements of the head. */
  readonly head?: Html;
  readonly body: Html;
}

/** Returns the HTML of a page. It fits narrow screens, and declares its language for screen readers. */
export const htmlDocument = ({ language, title, style, head = new Html(''), body }: HtmlDocument): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${head}
        <title>${title}</title>
        ${style.element}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
