import { LoginRefused, ProviderUnavailable, SmtpUnavailable } from '@outreach/mail-sessions';
import { limitOf, type Mailbox, type MailProvider, type ProviderLimit } from '../../email-accounts/index.js';

/** Why a run ended: nothing was due, the time was up, or the provider limits, refuses or cannot serve the account. */
export type RunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'more' }
  | { readonly kind: 'limited'; readonly limit: ProviderLimit }
  | { readonly kind: 'login refused'; readonly error: LoginRefused }
  | {
      readonly kind: 'unavailable';
      readonly error: ProviderUnavailable;
      /** After how many minutes the messages that were tried are tried again; undefined if none is. */
      readonly minutes?: number | undefined;
    };

/** The ends of a run for which the provider is the reason. */
export type ProviderFailure = Exclude<RunEnd, { kind: 'done' | 'more' }>;

/** Returns why a provider could not be used, or undefined if the error is not the provider's. */
export function providerFailureOf(error: unknown, provider: MailProvider): ProviderFailure | undefined {
  if (error instanceof LoginRefused) return { kind: 'login refused', error };
  if (!(error instanceof ProviderUnavailable)) return undefined;
  const reply = error instanceof SmtpUnavailable ? error.reply : undefined;
  const limit = reply && limitOf(provider, reply);
  return limit ? { kind: 'limited', limit } : { kind: 'unavailable', error };
}

/** Returns how many connections to the server of an account a run opens at most. */
export const connectionsTo = ({
  provider,
  is_one_by_one: isOneByOne,
}: Pick<Mailbox, 'provider' | 'is_one_by_one'>): number => (isOneByOne ? 1 : provider.max_connections);
