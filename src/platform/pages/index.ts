export { RespondsHtmlPage, RespondsPublicly } from './responds-html-page.js';
export { type ErrorPage, ErrorPageFilter } from './error-page.filter.js';
export { PreferredLanguage } from './preferred-language.js';
