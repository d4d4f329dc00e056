export { openSmtpSession, type SmtpOptions } from './open-smtp-session.js';
export { type ServerReply, SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
export { type SmtpEnvelope, type SmtpSession } from './smtp-session.js';
export { SMTP_ENCRYPTIONS, type SmtpEncryption, type SmtpLogin, type SmtpSettings } from './smtp-settings.js';
