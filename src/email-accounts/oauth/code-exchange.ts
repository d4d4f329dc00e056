import { Inject, Injectable } from '@nestjs/common';
import type { Authorization, AuthorizationCode, ProviderTokens } from '@outreach/oauth-clients';
import { CONFIG, type Config } from '../../platform/config/index.js';
import type { OauthProvider } from '../providers/provider-names.js';
import { oauthOf } from '../providers/providers.js';
import { type MailboxIdentity, mailboxIdentity } from './mailbox-identity.js';
import { OpenidClients } from './openid-clients.js';

/** The owner of a mailbox and the tokens for it. */
export interface ConnectedMailbox {
  /** undefined if the ID token has no verified address. */
  readonly identity: MailboxIdentity | undefined;
  readonly tokens: ProviderTokens;
}

/** Asks the owner of a mailbox for access to it, at its provider. */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly clients: OpenidClients,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  /** Returns the URL of the page before the provider, with the parameters of the provider's. @throws ProviderUnavailable */
  async pageUrl(provider: OauthProvider, authorization: Authorization): Promise<string> {
    const { search } = await this.authorizationUrl(provider, authorization);
    return `${this.config.public_url}/oauth/connect${search}`;
  }

  /** Returns the URL at which the provider asks the owner of a mailbox. @throws ProviderUnavailable */
  authorizationUrl(provider: OauthProvider, authorization: Authorization): Promise<URL> {
    const parameters = { ...oauthOf(provider).parameters, redirect_uri: this.redirectUri(provider) };
    return this.clients.request(provider, (client) => client.authorizationUrl(authorization, parameters));
  }

  /** Exchanges a code for tokens. @throws ProviderUnavailable, or an error for a response that is refused or not valid */
  async end(provider: OauthProvider, code: AuthorizationCode): Promise<ConnectedMailbox> {
    const redirectUri = this.redirectUri(provider);
    const { claims, tokens } = await this.clients.request(provider, (client) => client.exchange(code, redirectUri));
    return { identity: claims && mailboxIdentity(provider, claims), tokens };
  }

  private redirectUri(provider: OauthProvider): string {
    return `${this.config.public_url}/oauth/${provider}/callback`;
  }
}
