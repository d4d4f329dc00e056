import { createSecureContext, type SecureContext } from 'node:tls';
import { connectTls } from './connect-tls.js';
import {
  AddressRefused,
  ConnectionLost,
  HostUnreachable,
  HostUnresolvable,
  HostUnverified,
  NoResponse,
} from './egress-errors.js';
import type { EgressPolicy } from './egress-policy.js';
import { HttpsConnection, type HttpsRequest, type Limits } from './https-connection.js';
import { IdleConnections } from './idle-connections.js';
import type { ResponseReader } from './response-reader.js';
import type { HostResolver } from './resolve-public-host.js';

const TIMEOUT_MS = 10_000;
const CONNECTION_LIFETIME_MS = 300_000;

export interface HttpsClientOptions {
  /** Which addresses may be reached. */
  readonly policy: EgressPolicy;
  /** The system's own unless given. */
  readonly resolver?: HostResolver;
  /** PEM of the only authorities to trust, instead of Node's own and those of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
  /** Milliseconds during which a connection takes new requests, so that a change in DNS is noticed; 300,000 unless given. */
  readonly lifetimeMs?: number;
}

export interface Post {
  /** Beside `host`, `content-length`, `connection` and `accept-encoding`, which are the client's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body: Buffer;
  /** Milliseconds for everything from the lookup to the last byte of the answer; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** Ends the exchange at once; `post` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What came of a POST. */
export type PostResult =
  | {
      readonly kind: 'response';
      /** 200 to 999; a redirection is an answer like all others. */
      readonly status: number;
      /** As the receiver wrote it. */
      readonly headers: { readonly retry_after?: string };
      /** The first 64 KB as text without U+0000; a compressed answer is not decompressed. */
      readonly body: string;
      /** False when the time was over, or the connection cut, before the answer's end. True after 64 KB. */
      readonly complete: boolean;
    }
  | {
      readonly kind: 'failed';
      /** A sentence for people without full stop; it names the URL's host, and no address that the host has. */
      readonly reason: string;
    };

/**
 * POSTs to HTTPS hosts of other people's choice (API v1, "Webhooks"). Each connection goes to an address that was
 * checked for it, with a certificate that holds for the host; redirections are not followed. Connections are kept for
 * some seconds and used again. The receiver can close one at the moment when it is used again: where it ended before
 * any byte of an answer the request is sent once more, on a new connection and within the same time, so that a
 * receiver may see a request twice (RFC 9112, 9.3.1). How many run at once is up to the caller.
 */
export class HttpsClient {
  readonly #options: HttpsClientOptions;
  #secureContext: SecureContext | undefined;
  readonly #idle: IdleConnections;
  #isClosed = false;

  constructor(options: HttpsClientOptions) {
    this.#options = options;
    this.#idle = new IdleConnections(options.lifetimeMs ?? CONNECTION_LIFETIME_MS);
  }

  /**
   * Sends a body to a URL as {@link publicHttpsUrl} takes them. Whatever the network and the receiver do is an outcome;
   * throws a TypeError for a URL that is not https, undici's InvalidArgumentError for impossible headers, and the
   * signal's reason.
   */
  async post(url: URL, { headers, body, timeoutMs = TIMEOUT_MS, signal }: Post): Promise<PostResult> {
    if (url.protocol !== 'https:') throw new TypeError('Only https URLs are posted to');
    signal?.throwIfAborted();
    const request: HttpsRequest = {
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
    };
    try {
      const response = await this.#exchange(url, request, startLimits(timeoutMs, signal));
      if (response.error) signal?.throwIfAborted();
      return responseResult(response);
    } catch (error) {
      signal?.throwIfAborted();
      return failureResult(error);
    }
  }

  /** Closes the connections that are idle, and keeps none from now on. Exchanges that are under way go on. */
  close(): void {
    this.#isClosed = true;
    this.#idle.clear();
  }

  async #exchange(url: URL, request: HttpsRequest, limits: () => Limits): Promise<ResponseReader> {
    const idle = this.#idle.take(url.origin);
    if (idle) {
      try {
        return await this.#send(idle, request, limits());
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
      }
    }
    return this.#send(await this.#open(url, limits()), request, limits());
  }

  async #send(connection: HttpsConnection, request: HttpsRequest, limits: Limits): Promise<ResponseReader> {
    const response = await connection.send(request, limits);
    if (this.#isClosed) connection.destroy();
    else this.#idle.add(connection);
    return response;
  }

  async #open(url: URL, { timeoutMs, signal }: Limits): Promise<HttpsConnection> {
    const { policy, resolver, ca } = this.#options;
    const destination = { host: url.hostname, port: Number(url.port || 443), timeoutMs, policy, resolver };
    // One for all connections, and not before the first: reading the authorities of the world takes time.
    this.#secureContext ??= createSecureContext(ca === undefined ? {} : { ca });
    const opening = connectTls(destination, this.#secureContext);
    const connection = opening.then((socket) => this.#idle.removeOnClose(new HttpsConnection(url.origin, socket)));
    try {
      return await rejectOnAbort(connection, signal);
    } catch (error) {
      connection.then(
        (late) => late.destroy(),
        () => undefined,
      );
      throw error;
    }
  }
}

/** Gives the limits of what is done next: the time that is then left. */
function startLimits(timeoutMs: number, signal?: AbortSignal): () => Limits {
  const deadline = performance.now() + timeoutMs;
  return () => ({ timeoutMs: deadline - performance.now(), signal });
}

async function rejectOnAbort<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new NoResponse('The caller gave up'));
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function responseResult({ status, retryAfter, body, error: failure }: ResponseReader): PostResult {
  const headers = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return { kind: 'response', status, headers, body, complete: failure === undefined };
}

function failureResult(error: unknown): PostResult {
  const isKnown =
    error instanceof AddressRefused ||
    error instanceof HostUnresolvable ||
    error instanceof HostUnreachable ||
    error instanceof HostUnverified ||
    error instanceof NoResponse;
  if (!isKnown) throw error;
  return { kind: 'failed', reason: error.message };
}
