export { openSmtpSession, type SmtpOptions } from './open-smtp-session.js';
export { SmtpLoginRefused, SmtpUnavailable } from './smtp-errors.js';
export { type SmtpEnvelope, type SmtpSession } from './smtp-session.js';
export { type SmtpSettings } from './smtp-settings.js';
