import { LRUCache } from 'lru-cache';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { discoverClients, type DiscoveredClients, type OauthApplication } from './discovered-clients.js';
import { OauthUnavailable } from './oauth-errors.js';
import { TokenEndpoint } from './token-endpoint.js';
import { type ProviderTokens, providerTokens } from './tokens.js';

/** After this time the endpoints of a provider are read again. */
const MAX_AGE_MS = 3_600_000;

/** The secrets of one authorization: those of the URL, and the one that the exchange of its code needs. */
export interface Authorization {
  readonly state: string;
  readonly code_verifier: string;
  readonly nonce: string;
}

/** Returns the secrets of a new authorization. */
export const newAuthorization = (): Authorization => ({
  state: randomState(),
  nonce: randomNonce(),
  code_verifier: randomPKCECodeVerifier(),
});

/** What the browser brings back from the provider. */
export interface AuthorizationCode extends Omit<Authorization, 'state'> {
  /** The parameters of the callback, as the provider has sent them. */
  readonly parameters: URLSearchParams;
}

/** What a code has been exchanged for. */
export interface ExchangedCode {
  /** Those of the verified ID token; undefined if there is none. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  readonly tokens: ProviderTokens;
}

/** The parameters of a callback that are part of the protocol (RFC 6749, 4.1.2; RFC 9207). */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss'];

/** The authorization code flow of OpenID Connect with PKCE, at one provider. Endpoints are discovered when they are needed. */
export class OauthClient {
  /** Concurrent callers share a discovery, and an error is not stored. */
  private readonly discovered = new LRUCache<'clients', DiscoveredClients>({
    max: 1,
    ttl: MAX_AGE_MS,
    fetchMethod: () => this.discover(),
  });

  constructor(private readonly application: OauthApplication) {}

  /**
   * Returns the URL at which the provider asks for consent.
   * @param parameters `redirect_uri`, `scope`, and what the provider takes besides
   * @throws OauthUnavailable
   */
  async authorizationUrl(
    { state, nonce, code_verifier }: Authorization,
    parameters: Readonly<Record<string, string>>,
  ): Promise<URL> {
    const { connecting } = await this.clients();
    return buildAuthorizationUrl(connecting, {
      ...parameters,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
    });
  }

  /**
   * Exchanges a code for tokens, and verifies the ID token among them: signature, issuer, audience, times and nonce.
   * @param redirectUri that of the authorization
   * @throws OauthUnavailable, or what openid-client throws for a response that is refused or not valid
   */
  async exchange({ parameters, nonce, code_verifier }: AuthorizationCode, redirectUri: string): Promise<ExchangedCode> {
    const { connecting } = await this.clients();
    const callback = new URL(redirectUri);
    for (const name of RESPONSE_PARAMETERS) {
      const value = parameters.get(name);
      if (value !== null) callback.searchParams.set(name, value);
    }
    const response = await authorizationCodeGrant(connecting, callback, {
      expectedState: parameters.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: code_verifier,
      idTokenExpected: true,
    });
    return { claims: response.claims(), tokens: providerTokens(response) };
  }

  /** Returns where tokens are refreshed and revoked; asks the provider for it, unless it is known. @throws OauthUnavailable */
  async tokenEndpoint(): Promise<TokenEndpoint> {
    return new TokenEndpoint(this.application.name, (await this.clients()).refreshing);
  }

  private async clients(): Promise<DiscoveredClients> {
    const clients = await this.discovered.fetch('clients');
    if (!clients) throw new OauthUnavailable(`${this.application.name} was not discovered.`);
    return clients;
  }

  private async discover(): Promise<DiscoveredClients> {
    try {
      return await discoverClients(this.application);
    } catch (cause) {
      throw new OauthUnavailable(`The endpoints of ${this.application.name} cannot be read.`, { cause });
    }
  }
}
