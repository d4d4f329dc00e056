export { type FieldValues, type HeaderFields, usedMessageIds } from './header-fields.js';
export type { HeaderSummary } from './header-summary.js';
export { MailParser } from './mail-parser.js';
export {
  type MailClassification,
  type MailContent,
  MAX_USED_BYTES,
  type Notice,
  type ReceivedMail,
  type ReportedBounce,
  type ServerReport,
  UnreadableMail,
} from './received-mail.js';
export { reportedAddress, reportedText } from './reported-text.js';
export { asksToUnsubscribe } from './unsubscribe-request.js';
