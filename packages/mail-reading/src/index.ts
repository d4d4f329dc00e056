export { type FieldValues, type HeaderFields, usedMessageIds } from './header-fields.js';
export type { HeaderSummary } from './header-summary.js';
export {
  type MailClassification,
  type MailContent,
  MAX_USED_BYTES,
  type Notice,
  type ParsedMail,
  type RawMail,
  type ReceivedMail,
  receivedMail,
  type ReportedBounce,
  type ServerReport,
  UnreadableMail,
} from './received-mail.js';
export { reportedAddress, reportedText } from './reported-text.js';
export { asksToUnsubscribe } from './unsubscribe-request.js';
