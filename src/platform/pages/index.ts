export { RespondsHtmlPage, RespondsPublicly } from './responds-html-page.js';
export { type ErrorPage, ErrorPageFilter } from './error-page.filter.js';
export { Html, html } from './html.js';
export { type HtmlDocument, htmlDocument } from './html-document.js';
export { type Language, languageOf, LANGUAGES, PreferredLanguage } from './language.js';
export { MESSAGE_PAGE_HEADERS, messagePage, messagePageHeaders } from './message-page.js';
export { THEME } from './theme.js';
export { type PageHeaders, pageHeaders, type PagePolicy } from './page-headers.js';
export { type InlineCode, script, styleSheet } from './inline-code.js';
