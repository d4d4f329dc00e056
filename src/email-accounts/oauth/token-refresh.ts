import { Injectable } from '@nestjs/common';
import { type Configuration, refreshTokenGrant, ResponseBodyError } from 'openid-client';
import { LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';
import type { OauthProvider } from '../providers/provider-names.js';
import { PROVIDERS } from '../providers/providers.js';
import { OpenidClients } from './openid-clients.js';

/** Tokens of a provider. */
export interface ProviderTokens {
  readonly access_token: string;
  /** undefined if the provider has sent none. */
  readonly refresh_token: string | undefined;
  /** How long the access token is valid. */
  readonly seconds: number;
}

/** The owner of the mailbox has withdrawn the consent, or the refresh token has expired: connect the mailbox again. */
export class ConsentRevoked extends LoginRefused {
  override readonly name = 'ConsentRevoked';
}

/** Where a provider refreshes tokens. */
export interface RefreshEndpoint {
  readonly provider: OauthProvider;
  readonly client: Configuration;
}

/** Exchanges refresh tokens for access tokens (RFC 6749, 6). */
@Injectable()
export class TokenRefresh {
  constructor(private readonly clients: OpenidClients) {}

  /** Asks the provider for the endpoint, unless that is known. @throws ProviderUnavailable */
  async endpointOf(provider: OauthProvider): Promise<RefreshEndpoint> {
    return { provider, client: (await this.clients.of(provider)).refreshing };
  }

  /**
   * One request, of ten seconds at most. @throws ConsentRevoked for `invalid_grant`; ProviderUnavailable for any other failure
   */
  async request({ provider, client }: RefreshEndpoint, refreshToken: string): Promise<ProviderTokens> {
    try {
      return providerTokens(await refreshTokenGrant(client, refreshToken));
    } catch (cause) {
      const name = PROVIDERS[provider].name;
      if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant') {
        throw new ConsentRevoked(`${name} no longer gives access to the mailbox: connect it again.`, { cause });
      }
      throw new ProviderUnavailable(`${name} has not refreshed the access token: ${failureText(cause)}.`, { cause });
    }
  }
}

/** What a token endpoint returns. */
interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string;
  expiresIn(): number | undefined;
}

/** Returns the tokens of a response. @throws TypeError if one has characters that no token has */
export function providerTokens(response: TokenResponse): ProviderTokens {
  const { access_token: accessToken, refresh_token: refreshToken } = response;
  if (!IS_TOKEN.test(accessToken) || (refreshToken !== undefined && !IS_TOKEN.test(refreshToken))) {
    throw new TypeError('a token has invalid characters');
  }
  const seconds = Math.min(response.expiresIn() ?? DEFAULT_SECONDS, MAX_SECONDS);
  return { access_token: accessToken, refresh_token: refreshToken, seconds };
}

/** RFC 6749, A.12. Other characters could end the `XOAUTH2` command early. */
const IS_TOKEN = /^[\x20-\x7e]{1,32768}$/;
/** For a response without `expires_in`. */
const DEFAULT_SECONDS = 3_600;
const MAX_SECONDS = 86_400;

/** An error code of RFC 6749, or what kept the response from being read. It contains no token. */
function failureText(cause: unknown): string {
  if (cause instanceof ResponseBodyError) return `it replied ${cause.status} ${cause.error}`;
  return cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_TIMEOUT'
    ? 'it did not reply in time'
    : 'it cannot be reached, or its reply is not valid';
}
