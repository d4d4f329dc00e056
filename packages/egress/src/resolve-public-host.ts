import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AddressRefused, HostUnresolvable } from './egress-errors.js';
import type { AddressPolicy } from './egress-policy.js';
import { normalizeHost } from './host-name.js';
import { createSystemResolver, type HostResolver } from './system-resolver.js';

/** The timeout and the resolver of a lookup. */
export interface ResolveOptions {
  /** Milliseconds that the lookup may take; default 5,000. */
  timeoutMs?: number;
  /** By default {@link createSystemResolver}: hosts file first, then DNS. */
  resolver?: HostResolver;
}

const systemResolver = createSystemResolver();

/**
 * Resolves a host and checks each address. The caller must connect to these addresses without another lookup. A host
 * that has both public and other addresses is refused, so that retrying cannot reach the others. Throws AddressRefused
 * (not public) or HostUnresolvable (not a host name, not found, timeout).
 */
export async function resolvePublicHost(
  host: string,
  policy: AddressPolicy,
  { timeoutMs = 5_000, resolver = systemResolver }: ResolveOptions = {},
): Promise<readonly string[]> {
  const name = normalizeHost(host);
  if (name === undefined) throw new HostUnresolvable('The host name is malformed');
  const addresses = isIP(name) ? [name] : await addressesOf(name, resolver, timeoutMs);
  if (!addresses.every((address) => policy.allows(address))) throw new AddressRefused(name);
  return addresses;
}

async function addressesOf(name: string, resolver: HostResolver, timeoutMs: number): Promise<string[]> {
  const settled = new AbortController();
  const expiry = delay(timeoutMs, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new HostUnresolvable(`Looking up the host ${name} took too long`);
  });
  try {
    const lookup = resolver(name, settled.signal).catch((cause: unknown) => notFound(name, cause));
    const addresses = await Promise.race([lookup, expiry]);
    return addresses.length > 0 ? [...new Set(addresses)] : notFound(name);
  } finally {
    settled.abort();
  }
}

function notFound(name: string, cause?: unknown): never {
  throw new HostUnresolvable(`No address was found for the host ${name}`, { cause });
}
