import { Agent, buildConnector, fetch, type RequestInit, type Response } from 'undici';
import { ConnectionFailed } from './egress-errors.js';

const CONNECT_TIMEOUT_MS = 10_000;

type ConfiguredFetch = (url: string, init: Omit<RequestInit, 'redirect' | 'dispatcher'>) => Promise<Response>;

/**
 * Returns a `fetch` for URLs that the operator has configured, which may have any address. Redirects are not followed, because
 * they would send credentials to another host. It throws what `fetch` throws; the cause is ConnectionFailed if nothing was sent.
 * @param connectTimeoutMs for the lookup of the name, the connection and TLS
 */
export function configuredFetch(connectTimeoutMs = CONNECT_TIMEOUT_MS): ConfiguredFetch {
  const dispatcher = agentWith(connectTimeoutMs);
  return (url, init) => fetch(url, { ...init, redirect: 'manual', dispatcher });
}

/** Marks the errors before a request is written: those after that may have the same codes, such as ECONNRESET. */
function agentWith(timeout: number): Agent {
  const connect = buildConnector({ timeout });
  return new Agent({
    connect: (options, done) =>
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error) done(new ConnectionFailed(options.hostname, error), null);
        else done(null, socket);
      }),
  });
}
