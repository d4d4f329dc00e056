import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { providerFetch, refreshFetch } from './provider-fetch.js';

/** For one request to a provider, from the connection to the last byte. */
const TIMEOUT_SECONDS = 10;

/** An application that is registered at a provider. */
export interface OauthApplication {
  /** What messages for people call the provider. */
  readonly name: string;
  /** Its endpoints are read from `{issuer}/.well-known/openid-configuration`. It may have any address. */
  readonly issuer: string;
  /** The issuer that discovery names in place of the configured one, whose endpoints are read all the same. */
  readonly discovered_issuer?: string | undefined;
  readonly client_id: string;
  readonly client_secret: string;
}

/** A provider's endpoints with the credentials of an application there. */
export interface DiscoveredClients {
  /** For the code exchange: it verifies ID tokens with the keys of the provider. */
  readonly connecting: Configuration;
  /** For refreshes and revocations, which have no ID token. */
  readonly refreshing: Configuration;
}

/** Reads the endpoints of the provider. @throws what `discovery` throws */
export async function discoverClients(application: OauthApplication): Promise<DiscoveredClients> {
  const { issuer, discovered_issuer: discovered = issuer, client_id: id, client_secret: secret } = application;
  const connecting = await discovery(new URL(discovered), id, undefined, ClientSecretPost(secret), {
    timeout: TIMEOUT_SECONDS,
    [customFetch]: fetchInPlaceOf(discovered, issuer),
    execute: [enableNonRepudiationChecks, ...protocolOf(issuer)],
  });
  return { connecting, refreshing: refreshingClient(connecting, application) };
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
