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
import { ProviderUnavailable } from '@outreach/mail-sessions';
import { CONFIG } from '../../platform/config/index.js';
import { OAUTH_PROVIDERS, type OauthProvider } from '../providers/provider-names.js';
import { oauthOf, PROVIDERS } from '../providers/providers.js';
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
    max: OAUTH_PROVIDERS.length,
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
    if (!client) throw new ProviderUnavailable(`${PROVIDERS[provider].name} was not discovered.`);
    return client;
  }

  private async discover(provider: OauthProvider): Promise<OpenidClient> {
    const application = this.applicationAt(provider);
    const name = PROVIDERS[provider].name;
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
    const issuer = config[`${provider}_issuer`];
    const id = config[`${provider}_client_id`];
    const secret = config[`${provider}_client_secret`];
    return id === undefined || secret === undefined ? undefined : { issuer, client_id: id, client_secret: secret };
  }
}

/** @throws what `discovery` throws */
function discoverIssuer(provider: OauthProvider, application: OauthApplication): Promise<Configuration> {
  const { issuer, client_id: id, client_secret: secret } = application;
  const discovered = oauthOf(provider).discovered_issuer ?? issuer;
  return discovery(new URL(discovered), id, undefined, ClientSecretPost(secret), {
    timeout: TIMEOUT_SECONDS,
    [customFetch]: fetchInPlaceOf(discovered, issuer),
    execute: [enableNonRepudiationChecks, ...protocolOf(issuer)],
  });
}

/** Reads the endpoints of an issuer in place of those that are asked for. */
const fetchInPlaceOf =
  (discovered: string, issuer: string): CustomFetch =>
  (url, options) =>
    providerFetch(url.startsWith(`${discovered}/`) ? issuer + url.slice(discovered.length) : url, options);

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
