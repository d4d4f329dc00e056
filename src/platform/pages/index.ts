export { AnswersHtmlPage } from './answers-html-page.js';
export { type FailurePage, FailurePages } from './failure-pages.js';
export { Html, html } from './html.js';
export { type HtmlDocument, htmlDocument } from './html-document.js';
export { type Language, languageOf, LANGUAGES, ReadersLanguage } from './language.js';
export { LOOK } from './look.js';
export { type PageHeaders, pageHeaders, type PagePolicy } from './page-headers.js';
export { type StyleSheet, styleSheet } from './style-sheet.js';
