import { type Configuration, refreshTokenGrant, ResponseBodyError, tokenRevocation } from 'openid-client';
import { GrantRevoked, OauthUnavailable } from './oauth-errors.js';
import { type ProviderTokens, providerTokens } from './tokens.js';

/** Where a provider refreshes and revokes tokens. */
export class TokenEndpoint {
  /** @param name what messages for people call the provider */
  constructor(
    private readonly name: string,
    private readonly client: Configuration,
  ) {}

  /**
   * Exchanges a refresh token for an access token (RFC 6749, 6): one request, of ten seconds at most.
   * @throws GrantRevoked for `invalid_grant`; OauthUnavailable for any other failure
   */
  async refresh(refreshToken: string): Promise<ProviderTokens> {
    const { name } = this;
    try {
      return providerTokens(await refreshTokenGrant(this.client, refreshToken));
    } catch (cause) {
      if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant') {
        throw new GrantRevoked(`${name} no longer accepts the refresh token.`, { cause });
      }
      throw new OauthUnavailable(`${name} has not refreshed the access token: ${failureText(cause)}.`, { cause });
    }
  }

  /** Revokes a refresh token (RFC 7009), if the provider revokes any. Throws what openid-client throws. */
  async revoke(refreshToken: string): Promise<void> {
    if (this.client.serverMetadata().revocation_endpoint === undefined) return;
    await tokenRevocation(this.client, refreshToken, { token_type_hint: 'refresh_token' });
  }
}

/** An error code of RFC 6749, or what kept the response from being read. It contains no token. */
function failureText(cause: unknown): string {
  if (cause instanceof ResponseBodyError) return `it replied ${cause.status} ${cause.error}`;
  return cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_TIMEOUT'
    ? 'it did not reply in time'
    : 'it cannot be reached, or its reply is not valid';
}
