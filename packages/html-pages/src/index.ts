export { Html, html } from './html.js';
export { type HtmlDocument, htmlDocument } from './html-document.js';
export { type InlineCode, script, styleSheet } from './inline-code.js';
export { type Language, languageOf, LANGUAGES } from './language.js';
export { MESSAGE_PAGE_HEADERS, messagePage, messagePageHeaders } from './message-page.js';
export { type PageHeaders, pageHeaders, type PagePolicy } from './page-headers.js';
export { THEME } from './theme.js';
