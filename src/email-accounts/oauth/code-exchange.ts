import { Inject, Injectable } from '@nestjs/common';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { type MailboxIdentity, mailboxIdentity } from './mailbox-identity.js';
import type { OauthProvider } from '../providers/provider-names.js';
import { oauthOf } from '../providers/providers.js';
import { OpenidClients } from './openid-clients.js';
import { type ProviderTokens, providerTokens } from './token-refresh.js';

/** The secrets of one authorization: those of the URL, and the one that the exchange of its code needs. */
export interface Authorization {
  readonly state: string;
  readonly code_verifier: string;
  readonly nonce: string;
}

/** What the browser brings back from the provider. */
export interface AuthorizationCode {
  /** The parameters of the callback, as the provider has sent them. */
  readonly parameters: URLSearchParams;
  readonly code_verifier: string;
  readonly nonce: string;
}

/** The owner of a mailbox and the tokens for it. */
export interface ConnectedMailbox {
  /** undefined if the ID token has no verified address. */
  readonly identity: MailboxIdentity | undefined;
  readonly tokens: ProviderTokens;
}

/** The parameters of a callback that are part of the protocol (RFC 6749, 4.1.2; RFC 9207). */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss'];

/** The authorization code flow of OpenID Connect, with PKCE. */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly clients: OpenidClients,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  begin(): Authorization {
    return { state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() };
  }

  /** Returns the URL of the page before the provider, with the parameters of the provider's. @throws ProviderUnavailable */
  async pageUrl(provider: OauthProvider, authorization: Authorization): Promise<string> {
    const { search } = await this.authorizationUrl(provider, authorization);
    return `${this.config.public_url}/oauth/connect${search}`;
  }

  /** Returns the URL at which the provider asks the owner of a mailbox. @throws ProviderUnavailable */
  async authorizationUrl(provider: OauthProvider, { state, nonce, code_verifier }: Authorization): Promise<URL> {
    const { connecting } = await this.clients.of(provider);
    return buildAuthorizationUrl(connecting, {
      ...oauthOf(provider).parameters,
      redirect_uri: this.redirectUri(provider),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
    });
  }

  /**
   * Exchanges a code for tokens, and verifies the ID token among them: signature, issuer, audience, times and nonce.
   * @throws ProviderUnavailable, or what openid-client throws for a response that is refused or not valid
   */
  async end(provider: OauthProvider, code: AuthorizationCode): Promise<ConnectedMailbox> {
    const { connecting } = await this.clients.of(provider);
    const callback = new URL(this.redirectUri(provider));
    for (const name of RESPONSE_PARAMETERS) {
      const value = code.parameters.get(name);
      if (value !== null) callback.searchParams.set(name, value);
    }
    const response = await authorizationCodeGrant(connecting, callback, {
      expectedState: code.parameters.get('state') ?? '',
      expectedNonce: code.nonce,
      pkceCodeVerifier: code.code_verifier,
      idTokenExpected: true,
    });
    const claims = response.claims();
    return { identity: claims && mailboxIdentity(provider, claims), tokens: providerTokens(response) };
  }

  private redirectUri(provider: OauthProvider): string {
    return `${this.config.public_url}/oauth/${provider}/callback`;
  }
}
