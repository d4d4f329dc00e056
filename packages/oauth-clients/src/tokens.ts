/** Tokens of a provider. */
export interface ProviderTokens {
  readonly access_token: string;
  /** undefined if the provider has sent none. */
  readonly refresh_token: string | undefined;
  /** How long the access token is valid. */
  readonly seconds: number;
}

/** What a token endpoint returns. */
interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Seconds, as the provider has sent them: what is left of them depends on how long a process was paused. */
  readonly expires_in?: number;
}

/** Returns the tokens of a response. @throws TypeError if one has characters that no token has */
export function providerTokens(response: TokenResponse): ProviderTokens {
  const { access_token: accessToken, refresh_token: refreshToken } = response;
  if (!IS_TOKEN.test(accessToken) || (refreshToken !== undefined && !IS_TOKEN.test(refreshToken))) {
    throw new TypeError('a token has invalid characters');
  }
  const seconds = Math.min(Math.floor(response.expires_in ?? DEFAULT_SECONDS), MAX_SECONDS);
  return { access_token: accessToken, refresh_token: refreshToken, seconds };
}

/** RFC 6749, A.12. Other characters could end the `XOAUTH2` command early. */
const IS_TOKEN = /^[\x20-\x7e]{1,32768}$/;
/** For a response without `expires_in`. */
const DEFAULT_SECONDS = 3_600;
const MAX_SECONDS = 86_400;
