// What extension modules need for a mail provider. It loads no list of providers.
export { LoginRefused, ProviderUnavailable } from '../login-failures.js';
export type { ComposedMail, Refusal, SendResult } from '../send-result.js';
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
