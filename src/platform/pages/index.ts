export {
  Html,
  html,
  type HtmlDocument,
  htmlDocument,
  type InlineCode,
  type Language,
  languageOf,
  LANGUAGES,
  MESSAGE_PAGE_HEADERS,
  messagePage,
  messagePageHeaders,
  type PageHeaders,
  pageHeaders,
  type PagePolicy,
  script,
  styleSheet,
  THEME,
} from '@outreach/html-pages';
export { RespondsHtmlPage, RespondsPublicly } from './responds-html-page.js';
export { type ErrorPage, ErrorPageFilter } from './error-page.filter.js';
export { PreferredLanguage } from './preferred-language.js';
