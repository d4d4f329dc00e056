import type { TLSSocket } from 'node:tls';
import { type buildConnector, Client, errors } from 'undici';
import { ConnectionLost, NoResponse } from './egress-errors.js';
import { ResponseReader } from './response-reader.js';

/** How long an idle connection is kept where the server gives no hint (`Keep-Alive: timeout=…`), and at most. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;

export interface HttpsRequest {
  /** Path and query. */
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** When to stop waiting. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** HTTP/1.1 on one TLS connection, one request at a time. When it is gone, it is gone: nothing is opened here. */
export class HttpsConnection {
  readonly openedAt = performance.now();
  readonly #client: Client;

  constructor(
    readonly origin: string,
    private readonly socket: TLSSocket,
  ) {
    this.#client = new Client(origin, {
      connect: connectOnce(socket),
      // One limit holds for the whole exchange; those of undici start anew with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  onClosed(listener: () => void): void {
    this.socket.once('close', listener);
  }

  destroy(): void {
    void this.#client.destroy();
    this.socket.destroy();
  }

  /**
   * Sends a request and gives what came of its answer, at least the status. Throws ConnectionLost when the connection
   * ended before any byte of an answer, NoAnswer when there is none for another reason or when the limits were
   * reached, and undici's own errors for a request that is none. After anything but a whole answer it is closed.
   */
  async send(request: HttpsRequest, { timeoutMs, signal }: Limits): Promise<ResponseReader> {
    const bytesBefore = this.socket.bytesRead;
    const reader = new ResponseReader();
    const onTimeout = () => reader.abort(new NoResponse('No answer came in time'));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onTimeout, { once: true });
    if (signal?.aborted) onTimeout();
    else this.#client.dispatch(request, reader);
    await reader.done;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onTimeout);
    if (reader.error || reader.isTooLarge) this.destroy();
    if (reader.error && reader.status === 0) {
      throw noResponseError(reader.error, reader.isRequestSent && this.socket.bytesRead > bytesBefore);
    }
    return reader;
  }
}

function noResponseError(failure: Error, responseStarted: boolean): Error {
  const isFinal = failure instanceof NoResponse || isInvalidRequest(failure);
  if (isFinal) return failure;
  return responseStarted
    ? new NoResponse('What came is not a whole HTTP/1.1 answer', { cause: failure })
    : new ConnectionLost(failure);
}

function isInvalidRequest(failure: Error): boolean {
  return failure instanceof errors.InvalidArgumentError || failure instanceof errors.NotSupportedError;
}

/** undici asks again when a connection ended; it gets this one only. */
function connectOnce(socket: TLSSocket): buildConnector.connector {
  let isUsed = false;
  return (_options, done) => {
    const wasUsed = isUsed;
    isUsed = true;
    // Answered on the spot, undici would not begin with the request.
    queueMicrotask(() => (wasUsed ? done(new Error('The connection has ended'), null) : done(null, socket)));
  };
}
