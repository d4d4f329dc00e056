import { Agent, buildConnector, fetch, type RequestInit, type Response } from 'undici';
import { ConnectionFailed } from './egress-errors.js';

/** Shorter than a run that sends, which reports what is not reachable. */
const CONNECT_TIMEOUT_MS = 4_000;

const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });

/** Marks the errors before a request is written: those after that may have the same codes, such as ECONNRESET. */
const agent = new Agent({
  connect: (options, done) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) done(new ConnectionFailed(options.hostname, error), null);
      else done(null, socket);
    }),
});

/**
 * `fetch` for URLs that the operator has configured, which may have any address. Redirects are not followed, because they
 * would send credentials to another host. Throws what `fetch` throws; the cause is ConnectionFailed if nothing was sent.
 */
export const fetchConfigured = (url: string, init: Omit<RequestInit, 'redirect' | 'dispatcher'>): Promise<Response> =>
  fetch(url, { ...init, redirect: 'manual', dispatcher: agent });
