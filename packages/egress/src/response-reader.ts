import { type Dispatcher, errors } from 'undici';
import { ConnectionLost, NoResponse } from './egress-errors.js';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads one response up to a deadline and a size limit; a body that goes on after them is read no further. Informational
 * responses (1xx, RFC 9110) are skipped.
 */
export class ResponseReader implements Dispatcher.DispatchHandler {
  /** 0 until the headers have arrived. */
  status = 0;
  retryAfter: string | undefined;
  /** Why there is no response, or why its body ended early; undefined if it is complete, or goes on after the limits. */
  error: Error | undefined;
  /** The connection was open before the request. */
  isOnReusedConnection = true;
  /** Resolves when nothing more is read; never rejects. */
  readonly done: Promise<void>;
  #resolveDone: () => void = () => undefined;
  #isDone = false;
  #isConnecting = false;
  #isRequestSent = false;
  #hasResponseStarted = false;
  #remainingBytes = MAX_BODY_BYTES;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout;

  /** @param deadline on the clock of `performance.now()` */
  constructor(
    private readonly deadline: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.done = new Promise((resolve) => (this.#resolveDone = resolve));
    this.#timer = setTimeout(this.#onDeadline, this.#remainingMs());
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The body as text that a database can store: invalid UTF-8 is replaced, U+0000 is removed. */
  get body(): string {
    return Buffer.concat(this.#chunks).toString('utf8').replaceAll('\0', '');
  }

  /** Called if a connection is opened for the request; returns the milliseconds in which that must be done. */
  startConnecting(): number {
    this.isOnReusedConnection = false;
    this.#isConnecting = true;
    return this.#remainingMs();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.error) return controller.abort(this.error);
    this.#isRequestSent = true;
    if (!this.#isConnecting) return;
    this.#isConnecting = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onDeadline, this.#remainingMs());
  }

  onResponseStarted(): void {
    this.#hasResponseStarted = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    this.retryAfter = [headers['retry-after']].flat()[0];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return;
    this.#chunks.push(chunk.subarray(0, this.#remainingBytes));
    this.#remainingBytes -= chunk.length;
    if (this.#remainingBytes >= 0) return;
    this.#finish();
    controller.abort(new Error('The body is longer than the limit'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    // The pool frees the connection in a setImmediate that it queues after this call; the next request must come later.
    queueMicrotask(() => setImmediate(() => this.#finish()));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(this.status === 0 ? this.#noResponseError(error) : error);
  }

  #remainingMs(): number {
    return this.deadline - performance.now();
  }

  readonly #onDeadline = (): void => {
    // Connecting has the same deadline, and an error that says more.
    if (this.#isConnecting) return;
    if (this.status === 0) return this.#abort('The host did not respond in time');
    this.#finish();
    this.#controller?.abort(new Error('The body takes longer than the limit'));
  };

  readonly #onAbort = (): void => this.#abort('The request was cancelled');

  #abort(message: string): void {
    const error = new NoResponse(message);
    this.#finish(error);
    this.#controller?.abort(error);
  }

  #noResponseError(error: Error): Error {
    const isInvalid = error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError;
    if (!this.#isRequestSent || isInvalid) return error;
    return this.#hasResponseStarted
      ? new NoResponse('The response is not valid HTTP/1.1', { cause: error })
      : new ConnectionLost(error);
  }

  #finish(error?: Error): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.error = error;
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolveDone();
  }
}
