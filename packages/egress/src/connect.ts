import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { HostUnreachable } from './egress-errors.js';
import type { AddressPolicy } from './egress-policy.js';
import { timeoutSignal } from './timeout-signal.js';
import { resolvePublicHost } from './resolve-public-host.js';
import type { HostResolver } from './system-resolver.js';

/** Where to connect, the timeout, and the policy that the address must meet. */
export interface Destination {
  host: string;
  port: number;
  /** Milliseconds for the lookup and all connection attempts together. */
  timeoutMs: number;
  policy: AddressPolicy;
  resolver?: HostResolver;
}

/**
 * Opens a TCP connection to the first of the host's addresses that accepts one, in the resolver's order. The name is
 * resolved once, and only addresses that were checked are used, so DNS rebinding has no effect. The caller must listen
 * to the socket's `error` before it awaits anything else. Throws AddressRefused, HostUnresolvable or HostUnreachable.
 */
export async function connect({ host, port, timeoutMs, policy, resolver }: Destination): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  const addresses = await resolvePublicHost(host, policy, { timeoutMs, resolver });
  let lastError: unknown;
  for (const [index, address] of addresses.entries()) {
    // The remaining time is divided by the remaining addresses, so that a silent one leaves time for the others.
    const attemptTimeoutMs = (deadline - performance.now()) / (addresses.length - index);
    try {
      return await open(address, port, attemptTimeoutMs);
    } catch (error) {
      lastError = error;
    }
  }
  throw new HostUnreachable(host, port, lastError);
}

async function open(address: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = createConnection({ host: address, port });
  try {
    await once(socket, 'connect', { signal: timeoutSignal(timeoutMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
