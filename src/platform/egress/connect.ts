import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { HostUnreachable } from './egress-errors.js';
import type { EgressPolicy } from './egress-policy.js';
import { timeoutSignal } from './timeout-signal.js';
import { type HostResolver, resolvePublicHost } from './resolve-public-host.js';

export interface Destination {
  host: string;
  port: number;
  /** Milliseconds for everything: the lookup and all attempts together. */
  timeoutMs: number;
  policy: EgressPolicy;
  resolver?: HostResolver;
}

/**
 * A TCP connection to one of the host's checked addresses; the first that answers, in the resolver's order.
 * No name is looked up twice, so an answer that changes after the check changes nothing (DNS rebinding).
 * The caller must listen to the socket's `error` before it awaits anything else. Throws AddressRefused,
 * HostUnresolvable or HostUnreachable.
 */
export async function connect({ host, port, timeoutMs, policy, resolver }: Destination): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  const addresses = await resolvePublicHost(host, policy, { timeoutMs, resolver });
  let lastError: unknown;
  for (const [index, address] of addresses.entries()) {
    // A silent address gets its share of the time that is left, and leaves the others theirs.
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
