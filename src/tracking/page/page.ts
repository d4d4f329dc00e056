import { html, type Html, type Language, styleSheet } from '../../platform/pages/index.js';

const STYLE = styleSheet(`
:root { color-scheme: light dark; --ink: #1c2430; --soft: #4a5568; --paper: #ffffff; --ground: #f2f4f7; --act: #1a56c4; --on-act: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f5; --soft: #b6c0cd; --paper: #1d232c; --ground: #12161c; --act: #8ab4ff; --on-act: #10182a }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 30rem; padding: 2.25rem; border-radius: 0.875rem; background: var(--paper); box-shadow: 0 0.0625rem 0.25rem rgb(0 0 0 / 0.16) }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
p:last-child { margin-bottom: 0 }
strong { display: inline-block }
.soft { color: var(--soft) }
button { width: 100%; min-height: 3rem; margin-top: 0.5rem; padding: 0 1.5rem; border: 0; border-radius: 0.5rem; background: var(--act); color: var(--on-act); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(1.08) }
button:focus-visible { outline: 0.1875rem solid var(--ink); outline-offset: 0.1875rem }
`);

/**
 * What goes out with every page for recipients. Its address holds the secret that acts for them, so it is neither
 * kept, nor indexed, nor passed on, and the page can be put into no other; it may load and run nothing at all.
 */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; style-src ${STYLE.source}; form-action 'self'; base-uri 'none'; ` + `frame-ancestors 'none'`,
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Language',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** A whole page around its content, for mail clients' browsers and screen readers alike. */
export const page = (language: Language, title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${STYLE.element}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
