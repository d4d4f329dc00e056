// What extension modules need for a mail provider. It loads no list of providers.
export type { ComposedMail } from '../composed-mail.js';
export {
  type AccountInputs,
  type MailboxCredentials,
  type MailConnections,
  type MailProvider,
  type ProviderSession,
  type Sending,
  type StoredAccount,
  type Vault,
} from './provider.js';
export type { EventReport, EventRequest, ProviderEvents, SimulatedEvent } from './provider-events.js';
export type { LimitRule } from './provider-limits.js';
