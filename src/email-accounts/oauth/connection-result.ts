import type { OauthProvider } from '../providers/provider-names.js';

/** Why a mailbox was not connected. */
export const FAILURE_REASONS = [
  /** The owner of the mailbox has not given access to it. */
  'denied',
  /** More than ten minutes have passed. */
  'expired',
  /** The browser came back with a state that was used before. */
  'used',
  /** It is not the browser in which a person has agreed, or that one accepts no cookies. */
  'other_browser',
  /** The provider has sent an error, or nothing that can be verified. */
  'provider_error',
  /** The provider has sent no refresh token, so there would be no access after an hour. */
  'no_refresh_token',
  /** The workspace has as many email accounts as it may have. */
  'limit_reached',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** How the attempt to connect a mailbox has ended. */
export type ConnectionResult =
  | { readonly kind: 'connected'; readonly email_account_id: number; readonly redirect_to: string | null }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly redirect_to: string | null }
  /** The state is not one of this service and provider: it is not known to which application the browser belongs. */
  | { readonly kind: 'unknown' };

/** What a person is asked before the provider. */
export interface ConnectionQuestion {
  readonly kind: 'question';
  readonly provider: OauthProvider;
  readonly workspace_name: string;
}

/** A person has agreed, and now decides at the provider. */
export interface AgreedConnection {
  readonly kind: 'agreed';
  readonly authorization_url: string;
}

/** Returns the URL to which the browser is sent, or undefined if a page is shown. */
export function redirectOf(result: ConnectionResult): string | undefined {
  if (result.kind === 'unknown' || result.redirect_to === null) return undefined;
  const url = new URL(result.redirect_to);
  url.searchParams.set('status', result.kind);
  if (result.kind === 'connected') url.searchParams.set('email_account_id', String(result.email_account_id));
  else url.searchParams.set('reason', result.reason);
  return url.href;
}
