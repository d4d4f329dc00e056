export { openSmtpSession, type SmtpOptions } from './open-smtp-session.js';
export { limitOf, type MailProvider, mayBeLimit, type ProviderLimit, providerOf } from './provider-limits.js';
export { type ServerReply, SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
export { type SmtpEnvelope, type SmtpSession } from './smtp-session.js';
export { type SmtpLogin, type SmtpSettings } from './smtp-settings.js';
