import { Inject, Injectable } from '@nestjs/common';
import { LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';
import { GrantRevoked, OauthClient, OauthUnavailable } from '@outreach/oauth-clients';
import { CONFIG } from '../../platform/config/index.js';
import { OAUTH_PROVIDERS, type OauthProvider } from '../providers/provider-names.js';
import { oauthOf, PROVIDERS } from '../providers/providers.js';
import type { OauthConfig } from './oauth.settings.js';

/** The owner of the mailbox has withdrawn the consent, or the refresh token has expired: connect the mailbox again. */
export class ConsentRevoked extends LoginRefused {
  override readonly name = 'ConsentRevoked';
}

/** The clients of the configured providers. */
@Injectable()
export class OpenidClients {
  private readonly clients: ReadonlyMap<OauthProvider, OauthClient>;

  constructor(@Inject(CONFIG) config: OauthConfig) {
    this.clients = new Map(OAUTH_PROVIDERS.flatMap((provider) => clientOf(provider, config)));
  }

  /** Returns whether the operator has configured the application at a provider. */
  isConfigured(provider: OauthProvider): boolean {
    return this.clients.has(provider);
  }

  /** Makes a request to a provider. @throws ProviderUnavailable, also if it is not configured; ConsentRevoked */
  async request<R>(provider: OauthProvider, request: (client: OauthClient) => Promise<R>): Promise<R> {
    const { name } = PROVIDERS[provider];
    const client = this.clients.get(provider);
    if (!client) throw new ProviderUnavailable(`${name} is not configured.`);
    return request(client).catch((error: unknown) => {
      if (error instanceof OauthUnavailable) throw new ProviderUnavailable(error.message, { cause: error.cause });
      if (!(error instanceof GrantRevoked)) throw error;
      throw new ConsentRevoked(`${name} no longer gives access to the mailbox: connect it again.`, {
        cause: error.cause,
      });
    });
  }
}

function clientOf(provider: OauthProvider, config: OauthConfig): (readonly [OauthProvider, OauthClient])[] {
  const { name } = PROVIDERS[provider];
  const { discovered_issuer } = oauthOf(provider);
  const issuer = config[`${provider}_issuer`];
  const id = config[`${provider}_client_id`];
  const secret = config[`${provider}_client_secret`];
  if (id === undefined || secret === undefined) return [];
  return [[provider, new OauthClient({ name, issuer, discovered_issuer, client_id: id, client_secret: secret })]];
}
