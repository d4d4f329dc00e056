import { isEmailAddress, normalizeEmail } from '@outreach/email-addresses';
import { plainName } from '@outreach/http-api/fields';
import type { OauthProvider } from '../providers/provider-names.js';
import { oauthOf } from '../providers/providers.js';

const MAX_NAME_LENGTH = 255;

/** Whose mailbox an ID token is about. */
export interface MailboxIdentity {
  /** In lower case. */
  readonly address: string;
  /** In one line; the address if the token has no name. */
  readonly name: string;
}

/**
 * Returns the owner of the mailbox that a verified ID token names (API v1, "Connecting"); undefined if it has no address,
 * or says that the address is not verified.
 */
export function mailboxIdentity(
  provider: OauthProvider,
  claims: Readonly<Record<string, unknown>>,
): MailboxIdentity | undefined {
  // Some providers send booleans as text.
  if (claims['email_verified'] === false || claims['email_verified'] === 'false') return undefined;
  const address = oauthOf(provider)
    .address_claims.map((claim) => claims[claim])
    .flatMap((claim) => (typeof claim === 'string' ? [normalizeEmail(claim.trim())] : []))
    .find(isEmailAddress);
  return address === undefined ? undefined : { address, name: senderName(claims['name']) || address };
}

function senderName(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  return [...plainName(claim, ' ')].slice(0, MAX_NAME_LENGTH).join('').trim();
}
