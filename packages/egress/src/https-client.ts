import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, type buildConnector, Client, type Dispatcher } from 'undici';
import { connect } from './connect.js';
import { CIPHERS } from './ciphers.js';
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
import type { HostResolver } from './system-resolver.js';
import { ResponseReader } from './response-reader.js';

const TIMEOUT_MS = 10_000;
const CONNECTION_LIFETIME_MS = 300_000;
/** With four requests at a time to each of 250 hosts, no connection is closed early. */
const MAX_CONNECTIONS = 1_000;
/** How long an idle connection stays open if the server sends no `Keep-Alive: timeout=…`. */
const IDLE_MS = 4_000;
/** How long an idle connection stays open at most. */
const MAX_IDLE_MS = 30_000;
/** Values of undici's `pipelining` option: a connection is used for one request after the other, or for one request. */
const KEEP_ALIVE = 1;
const SINGLE_REQUEST = 0;

/** The egress policy of a client, and limits that tests change. */
export interface HttpsClientOptions {
  /** Which addresses may be reached. */
  readonly policy: EgressPolicy;
  /** The operating system's resolver by default. */
  readonly resolver?: HostResolver;
  /** PEM of the only trusted authorities, instead of those of Node and of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
  /** Milliseconds after which a connection takes no new request, so that DNS changes take effect; default 300,000. */
  readonly lifetimeMs?: number;
  /** With so many connections open, a connection is closed after its request; default 1,000. */
  readonly maxConnections?: number;
}

/** What a POST sends, and its timeout. */
export interface PostRequest {
  /** All but `host`, `content-length`, `connection` and `accept-encoding`, which the client sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: Buffer;
  /** Milliseconds for everything from the DNS lookup to the last byte of the response; default 10,000. */
  readonly timeoutMs?: number;
  /** Cancels the request; `post` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of a POST. */
export type PostResult =
  | {
      readonly kind: 'response';
      /** 200 to 999; redirects are returned, not followed. */
      readonly status: number;
      /** As the receiver sent it. */
      readonly headers: { readonly retry_after?: string };
      /** What arrived before the timeout of the first 64 KB, as text without U+0000; a compressed body is not decompressed. */
      readonly body: string;
      /** False if the connection ended before the response did. True if the body goes on after 64 KB or the timeout. */
      readonly complete: boolean;
    }
  | {
      readonly kind: 'failed';
      /** A sentence without a full stop; it names the host of the URL, and none of its addresses. */
      readonly reason: string;
    };

/**
 * POSTs to HTTPS hosts that users name, and to HTTP hosts in the configured ranges. undici's Agent pools the connections; each
 * one goes to an address that was checked for it, with a certificate that is valid for the host. Redirects are not followed.
 *
 * A receiver may close an idle connection at the moment at which it is used again. If a reused connection ends before
 * the first byte of a response, the request is sent once more, on a new connection and within the same timeout, so a
 * receiver may get a request twice (RFC 9112, 9.3.1). The caller limits how many requests run concurrently.
 */
export class HttpsClient {
  readonly #options: HttpsClientOptions;
  #agent: Agent;
  #agentExpiresAt = 0;
  #pipelining = KEEP_ALIVE;
  #secureContext: SecureContext | undefined;
  #connections = 0;
  /** Set while undici dispatches a request: it opens the connection for it synchronously. */
  #dispatching: ResponseReader | undefined;

  constructor(options: HttpsClientOptions) {
    this.#options = options;
    this.#agent = this.#createAgent();
  }

  /**
   * Sends a body to a URL that {@link publicHttpsUrl} accepts. Network errors and invalid responses are results and are
   * not thrown. Throws undici's InvalidArgumentError if a header cannot be sent, and the signal's reason.
   */
  async post(url: URL, { headers, body, timeoutMs = TIMEOUT_MS, signal }: PostRequest): Promise<PostResult> {
    signal?.throwIfAborted();
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
      reset: this.#connections >= (this.#options.maxConnections ?? MAX_CONNECTIONS),
    };
    const deadline = performance.now() + timeoutMs;
    let response = await this.#send(this.#currentAgent(), request, new ResponseReader(deadline, signal));
    if (response.error instanceof ConnectionLost && response.isOnReusedConnection) {
      const client = new Client(url.origin, this.#clientOptions(SINGLE_REQUEST));
      response = await this.#send(client, request, new ResponseReader(deadline, signal));
      void client.close();
    }
    if (response.error) signal?.throwIfAborted();
    return resultOf(response);
  }

  /** Closes idle connections now, and every other connection after its request. */
  close(): void {
    this.#pipelining = SINGLE_REQUEST;
    this.#replaceAgent();
  }

  async #send(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, reader: ResponseReader) {
    this.#dispatching = reader;
    dispatcher.dispatch(request, reader);
    this.#dispatching = undefined;
    await reader.done;
    return reader;
  }

  /** A new Agent ends the connections of the last one. undici's `clientTtl` checks each connection at every request. */
  #currentAgent(): Agent {
    if (performance.now() >= this.#agentExpiresAt) this.#replaceAgent();
    return this.#agent;
  }

  #replaceAgent(): void {
    void this.#agent.close();
    this.#agent = this.#createAgent();
  }

  #createAgent(): Agent {
    this.#agentExpiresAt = performance.now() + (this.#options.lifetimeMs ?? CONNECTION_LIFETIME_MS);
    return new Agent(this.#clientOptions(this.#pipelining));
  }

  #clientOptions(pipelining: number): Client.Options {
    return {
      connect: this.#connect,
      pipelining,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      // ResponseReader has one deadline for the whole request; these timers start again with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  readonly #connect: buildConnector.connector = ({ hostname, port, protocol }, done) => {
    // undici also reconnects if an idle connection ends just before a request is written to it: no request is known then.
    const timeoutMs = this.#dispatching?.startConnecting() ?? TIMEOUT_MS;
    this.#connections += 1;
    const opened =
      protocol === 'http:' ? this.#open(hostname, port, timeoutMs) : this.#openTls(hostname, port, timeoutMs);
    opened.then(
      (socket) => {
        socket.once('close', () => (this.#connections -= 1));
        done(null, socket);
      },
      (error: Error) => {
        this.#connections -= 1;
        done(error, null);
      },
    );
  };

  async #open(host: string, port: string, timeoutMs: number): Promise<Socket> {
    const { policy, resolver } = this.#options;
    const destination = { host, port: Number(port || 80), timeoutMs, policy: policy.configuredOnly(), resolver };
    const socket = await connect(destination);
    socket.on('error', () => undefined);
    return socket.setNoDelay(true);
  }

  #openTls(host: string, port: string, timeoutMs: number): Promise<Socket> {
    const { policy, resolver, ca } = this.#options;
    // One context for all connections, created late: loading the system's authorities takes time.
    this.#secureContext ??= createSecureContext({ ciphers: CIPHERS, ...(ca === undefined ? {} : { ca }) });
    return connectTls({ host, port: Number(port || 443), timeoutMs, policy, resolver }, this.#secureContext);
  }
}

function resultOf({ status, retryAfter, body, error }: ResponseReader): PostResult {
  if (error && status === 0) return failureResult(error);
  const headers = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return { kind: 'response', status, headers, body, complete: error === undefined };
}

function failureResult(error: Error): PostResult {
  const isExpected =
    error instanceof AddressRefused ||
    error instanceof HostUnresolvable ||
    error instanceof HostUnreachable ||
    error instanceof HostUnverified ||
    error instanceof NoResponse;
  if (!isExpected) throw error;
  return { kind: 'failed', reason: error.message };
}
