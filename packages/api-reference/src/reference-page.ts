import { html, Html, htmlDocument, pageHeaders, script } from '@outreach/html-pages';

/** Each text has a contrast of at least 4.5 to what is behind it (WCAG 2.2, 1.4.3), where the renderer's own has less. */
const STYLE = new Html(`<style>
.light-mode {
  --scalar-color-2: #5c5c5c; --scalar-color-3: #686868; --scalar-color-accent: #0069b8;
  --scalar-color-green: #00704a; --scalar-color-red: #c40005; --scalar-color-yellow: #7a5b00;
  --scalar-color-blue: #0067a6; --scalar-color-orange: #b03a00;
}
.dark-mode {
  --scalar-color-2: #b0b0b0; --scalar-color-3: #9a9a9a; --scalar-color-red: #ff6f6b; --scalar-color-green: #00c853;
}
section:focus { outline: none }
</style>`);

/** Beside TypeScript, which the document has: curl, and the languages of docs/webhooks.md. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    ['c', 'clojure', 'csharp', 'dart', 'fsharp', 'http', 'java', 'js', 'julia', 'kotlin', 'node', 'objc', 'ocaml']
      .concat(['powershell', 'r', 'ruby', 'rust', 'swift'])
      .map((language) => [language, true]),
  ),
  php: ['guzzle', 'laravel'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
  shell: ['httpie', 'wget'],
};

/**
 * Starts the renderer without anything that needs another host. Requests that are tried go to where the page is from, which
 * may be below a path of a proxy. Links of the reference before this one, `#/Contacts/createContact`, still lead there, and those
 * to an operation of `PATCH` to its entry. While the page is being drawn, the renderer would replace the address by those of
 * other operations that it comes past, so that a page that is loaded again would open there: the address stays until the reader
 * moves.
 * What follows names and makes focusable what the renderer leaves without a name or out of reach of the keyboard.
 */
const START = script(`
(() => {
  const [, tag, operation] = /^#\\/([^/]+)\\/(\\w+)$/.exec(location.hash) ?? [];
  if (operation) history.replaceState(null, '', '#tag/' + tag.toLowerCase().replaceAll('%20', '-') + '/' + operation);
  const entry = location.hash.replace(/\\/patch(\\w+By\\w+)$/, '/upsert$1').replace(/\\/patch(\\w+)$/, '/update$1');
  if (entry !== location.hash) history.replaceState(null, '', entry);
  const replaceState = history.replaceState.bind(history);
  let isFree = location.hash === '';
  history.replaceState = (...change) => { if (isFree) replaceState(...change); };
  for (const input of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(input, () => { isFree = true; }, { capture: true, once: true, passive: true });
  Scalar.createApiReference('#reference', {
    url: 'docs/openapi.json',
    servers: [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }],
    slug: 'api',
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    showOperationId: true,
    modelsSectionLabel: 'Schemas',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: ${JSON.stringify(HIDDEN_CLIENTS)},
    generateOperationSlug: ({ operationId }) => operationId,
  });
  const corrections = [
    ['button[class*=copy-button]:not([aria-label])', 'aria-label', 'Copy'],
    ['code.custom-scroll:not([tabindex]), ul.endpoints:not([tabindex])', 'tabindex', '0'],
    ['.cm-content:not([aria-label])', 'aria-label', 'Body of the request'],
    ['[role=combobox][contenteditable]:not([aria-expanded])', 'role', 'textbox'],
    ['button[role=none]', 'role', 'button'],
    ['[role=dialog] section[aria-label^=Notifications]', 'aria-label', 'Results of the form'],
  ];
  let isPending = false;
  const correct = () => {
    isPending = false;
    for (const [selector, name, value] of corrections)
      for (const element of document.querySelectorAll(selector)) element.setAttribute(name, value);
  };
  new MutationObserver(() => {
    if (!isPending) requestAnimationFrame(correct);
    isPending = true;
  }).observe(document.body, { childList: true, subtree: true });
})();
`);

/** Inline styles are allowed, because the renderer creates them; nothing can be loaded from or sent to another host. */
export const REFERENCE_PAGE_HEADERS = pageHeaders({
  style: { element: STYLE, source: `'unsafe-inline'` },
  directives: [
    `script-src 'self' ${START.source}`,
    `connect-src 'self'`,
    `img-src 'self' data: blob:`,
    `form-action 'none'`,
  ],
  cache: 'no-cache',
});

/** The page of the API reference for people. Its addresses are relative. */
export const REFERENCE_PAGE = htmlDocument({
  language: 'en',
  title: 'Outreach API',
  style: { element: STYLE, source: '' },
  head: html`<link rel="icon" href="data:," />`,
  body: html`<div id="reference"></div>
    <noscript>
      This page needs JavaScript. Without it, read the <a href="openapi.json">OpenAPI document</a> or the
      <a href="llms.txt">overview</a>.
    </noscript>
    <script src="docs/renderer.js"></script>
    ${START.element}`,
});
