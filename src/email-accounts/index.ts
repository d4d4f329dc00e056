export { ENCRYPTED_CREDENTIALS } from './credentials.js';
export { countedDayOf, effectiveLimitOf, rampDayOf, sentTodayOf, today } from './daily-count.js';
export { DomainAuthentication, findUnauthenticated, StoredDomainCheck } from './domain/index.js';
export {
  type DisabledReason,
  EmailAccount,
  EmailAccountDay,
  isReadIn,
  PROVIDER_COLUMNS,
} from './email-account.entity.js';
export { type EmailAccountType, isOneOf } from './providers/provider-names.js';
export { CredentialsUnusable } from './email-account.errors.js';
export { type EmailAccountEvent } from './email-account.events.js';
export { type EmailAccountsConfig } from './email-accounts.settings.js';
export { EmailAccountsModule } from './email-accounts.module.js';
export { ImapSessions } from './imap-sessions.js';
export { AccessTokens } from './oauth/access-tokens.js';
export { createGrantRevocation, GrantRevocation } from './oauth/grant-revocation.js';
export { OauthGrant } from './oauth/oauth-grant.entity.js';
export { ENCRYPTED_OAUTH } from './oauth/oauth-secrets.js';
export { OauthState } from './oauth/oauth-state.entity.js';
export { ConsentRevoked } from './oauth/openid-clients.js';
export type { ComposedMail } from './composed-mail.js';
export { FailedMail, MailboxCursor, MailboxReading, READ_FOLDERS, type ReadFolder } from './mailbox-reading.entity.js';
export { Mailbox, Mailboxes } from './mailboxes.js';
export {
  type EventReport,
  type EventRequest,
  MAX_EVENT_KEYS,
  type ReportedFailure,
  type SimulatedEvent,
  type SimulatedMessage,
} from './providers/provider-events.js';
export {
  type MailboxCredentials,
  type MailProvider,
  type PasswordMailbox,
  type ProviderSession,
  type Sending,
  type SmtpMailbox,
} from './providers/provider.js';
export { limitOf, mayBeLimit, type ProviderLimit } from './providers/provider-limits.js';
export {
  ACCOUNT_TYPES,
  EVENT_PROVIDERS,
  type EventProvider,
  eventsOf,
  type ProviderForm,
  PROVIDERS,
  RECEIVED_FORMS,
} from './providers/providers.js';
export { SmtpSessions } from './smtp-sessions.js';
