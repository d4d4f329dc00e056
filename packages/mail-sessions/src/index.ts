export { ImapLoginRefused, ImapUnavailable } from './imap/imap-errors.js';
export type { ImapFolders } from './imap/imap-folders.js';
export {
  type ImapSession,
  MAX_HEADERS,
  type MessageHeader,
  type OpenFolder,
  type UidRange,
} from './imap/imap-session.js';
export { IMAP_ENCRYPTIONS, type ImapEncryption, type ImapLogin, type ImapSettings } from './imap/imap-settings.js';
export { findNewMessages, type NewMessages } from './imap/new-messages.js';
export { type ImapOptions, type ImapPolicy, openImapSession } from './imap/open-imap-session.js';
export { ReopenedSession } from './imap/reopened-session.js';
export { LoginRefused, ProviderUnavailable } from './login/login-errors.js';
export { hideSecrets } from './login/reply-text.js';
export type { Content } from './smtp/message-content.js';
export { openSmtpSession, type SmtpOptions, type SmtpPolicy } from './smtp/open-smtp-session.js';
export type { Refusal, SendPhase, SendResult } from './smtp/send-result.js';
export { type ServerReply, SmtpLoginRefused, SmtpUnavailable } from './smtp/smtp-errors.js';
export type { SmtpEnvelope, SmtpSendOptions, SmtpSession } from './smtp/smtp-session.js';
export { SMTP_ENCRYPTIONS, type SmtpEncryption, type SmtpLogin, type SmtpSettings } from './smtp/smtp-settings.js';
