export { CONNECT_PAGE_HEADERS, connectPage, type ConnectQuestion } from './connect-page.js';
export { type ConnectionOutcome, connectionPage } from './connection-page.js';
export { failurePage } from './failure-page.js';
export type { ReaderLanguage } from './reader-language.js';
export {
  confirmationPage,
  type PageRecipient,
  pageThatLeadsTo,
  questionPage,
  trackingRefusedPage,
  withoutSender,
} from './unsubscribe-pages.js';
