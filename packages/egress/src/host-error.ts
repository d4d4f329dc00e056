import { AddressRefused, HostUnresolvable } from './egress-errors.js';
import type { EgressPolicy } from './egress-policy.js';
import { normalizeHost } from './host-name.js';
import { isPrivateName } from './private-names.js';
import { type ResolveOptions, resolvePublicHost } from './resolve-public-host.js';

/**
 * Returns why outbound connections to a host are not allowed, as a sentence for the user; undefined if they are. The
 * addresses of the host decide, not its name. A host that has no address yet is allowed, unless its name can never be
 * public; each connection checks its addresses again.
 */
export async function hostError(
  host: string,
  policy: EgressPolicy,
  resolution?: ResolveOptions,
): Promise<string | undefined> {
  try {
    await resolvePublicHost(host, policy, resolution);
    return undefined;
  } catch (error) {
    if (error instanceof AddressRefused) return refusal(error, policy);
    if (!(error instanceof HostUnresolvable)) throw error;
    return unresolvedHostError(host, policy);
  }
}

/**
 * Returns why requests to a URL are not allowed, as {@link hostError} does. A URL with http needs a host whose addresses
 * are all in the configured ranges, because its requests are not encrypted.
 */
export async function urlHostError(
  url: URL,
  policy: EgressPolicy,
  resolution?: ResolveOptions,
): Promise<string | undefined> {
  if (url.protocol === 'https:') return hostError(url.hostname, policy, resolution);
  try {
    await resolvePublicHost(url.hostname, policy.configuredOnly(), resolution);
    return undefined;
  } catch (error) {
    if (error instanceof AddressRefused || error instanceof HostUnresolvable)
      return `The URL must start with https:// and name a host. ${httpRule(policy)}`.trim();
    throw error;
  }
}

const httpRule = ({ wayOut }: EgressPolicy): string =>
  wayOut && `http:// is only for hosts in networks that are allowed. ${wayOut}`;

function unresolvedHostError(host: string, policy: EgressPolicy): string | undefined {
  const name = normalizeHost(host);
  if (name === undefined) return 'The host name is malformed.';
  return isPrivateName(name) ? refusal(new AddressRefused(name), policy) : undefined;
}

const refusal = ({ message }: AddressRefused, { wayOut }: EgressPolicy): string => `${message}. ${wayOut}`.trim();
