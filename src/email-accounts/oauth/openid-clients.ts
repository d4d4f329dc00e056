import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { CONFIG } from '../../platform/config/index.js';
import { ProviderUnavailable } from '../login-failures.js';
import { type OauthProvider, PROVIDER_NAMES } from './oauth-provider.js';
import type { OauthConfig } from './oauth.settings.js';
import { providerFetch, refreshFetch } from './provider-fetch.js';

/** For one request to a provider, from the connection to the last byte. */
const TIMEOUT_SECONDS = 10;
/** After this time the endpoints of a provider are read again. */
const MAX_AGE_MS = 3_600_000;

/** The application at a provider, as the settings name it. */
interface OauthApplication {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** A provider's endpoints with this service's credentials there. */
interface OpenidClient {
  /** For the code exchange: it verifies ID tokens with the keys of the provider. */
  readonly connecting: Configuration;
  /** For refreshes and revocations, which have no ID token. */
  readonly refreshing: Configuration;
}

/** The OpenID clients of the configured providers. Their endpoints are discovered when they are needed. */
@Injectable()
export class OpenidClients {
  /** Concurrent callers share a discovery, and an error is not stored. */
  private readonly discovered = new LRUCache<OauthProvider, OpenidClient>({
    max: Object.keys(PROVIDER_NAMES).length,
    ttl: MAX_AGE_MS,
    fetchMethod: (provider) => this.discover(provider),
  });

  constructor(@Inject(CONFIG) private readonly config: OauthConfig) {}

  /** Returns whether the operator has configured the application at a provider. */
  isConfigured(provider: OauthProvider): boolean {
    return this.applicationAt(provider) !== undefined;
  }

  /** @throws ProviderUnavailable if it is not configured, or its endpoints cannot be discovered */
  async of(provider: OauthProvider): Promise<OpenidClient> {
    const client = await this.discovered.fetch(provider);
    if (!client) throw new ProviderUnavailable(`${PROVIDER_NAMES[provider]} was not discovered.`);
    return client;
  }

  private async discover(provider: OauthProvider): Promise<OpenidClient> {
    const application = this.applicationAt(provider);
    const name = PROVIDER_NAMES[provider];
    if (!application) throw new ProviderUnavailable(`${name} is not configured.`);
    try {
      const connecting = await discoverIssuer(provider, application);
      return { connecting, refreshing: refreshingClient(connecting, application) };
    } catch (cause) {
      throw new ProviderUnavailable(`The endpoints of ${name} cannot be read.`, { cause });
    }
  }

  private applicationAt(provider: OauthProvider): OauthApplication | undefined {
    const { config } = this;
    const [issuer, id, secret] =
      provider === 'google'
        ? [config.google_issuer, config.google_client_id, config.google_client_secret]
        : [config.microsoft_issuer, config.microsoft_client_id, config.microsoft_client_secret];
    return id === undefined || secret === undefined ? undefined : { issuer, client_id: id, client_secret: secret };
  }
}

/** @throws what `discovery` throws */
function discoverIssuer(provider: OauthProvider, application: OauthApplication): Promise<Configuration> {
  const { issuer, client_id: id, client_secret: secret } = application;
  const isMicrosoft = provider === 'microsoft';
  return discovery(new URL(isMicrosoft ? MICROSOFT : issuer), id, undefined, ClientSecretPost(secret), {
    timeout: TIMEOUT_SECONDS,
    [customFetch]: isMicrosoft ? microsoftFetch(issuer) : providerFetch,
    execute: [enableNonRepudiationChecks, ...protocolOf(issuer)],
  });
}

/**
 * Microsoft's issuer is a template in which `{tenantid}` stands for the tenant of the account. `openid-client` fills it in
 * for this URL only, so another one, such as that of a national cloud, takes its place here.
 */
const MICROSOFT = 'https://login.microsoftonline.com/common/v2.0';

const microsoftFetch =
  (issuer: string): CustomFetch =>
  (url, options) =>
    providerFetch(url.startsWith(`${MICROSOFT}/`) ? issuer + url.slice(MICROSOFT.length) : url, options);

/** An operator may configure an issuer without TLS, e.g. on the own host; one with TLS has no endpoint without it. */
const protocolOf = (issuer: string) => (new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []);

function refreshingClient(connecting: Configuration, application: OauthApplication): Configuration {
  const { issuer, client_id: id, client_secret: secret } = application;
  const client = new Configuration(connecting.serverMetadata(), id, undefined, ClientSecretPost(secret));
  client.timeout = TIMEOUT_SECONDS;
  client[customFetch] = refreshFetch;
  for (const extend of protocolOf(issuer)) extend(client);
  return client;
}
