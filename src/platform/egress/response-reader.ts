import type { Dispatcher } from 'undici';

const MAX_BODY_BYTES = 64 * 1024;

/** What has arrived of an answer. An informational one (1xx, RFC 9110) is none. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  /** The request is being sent; what came before can be no answer to it. */
  isRequestSent = false;
  /** 0 until the headers are there. */
  status = 0;
  retryAfter: string | undefined;
  /** Why there is no more of it, unless it came to its end or to more than is read. */
  error: Error | undefined;
  /** Resolves when nothing more will be taken; never rejects. */
  readonly done: Promise<void>;
  #resolveDone: () => void = () => undefined;
  #isDone = false;
  #remainingBytes = MAX_BODY_BYTES;
  readonly #chunks: Buffer[] = [];

  constructor() {
    this.done = new Promise((resolve) => (this.#resolveDone = resolve));
  }

  /** There is more of it than is read. */
  get isTooLarge(): boolean {
    return this.#remainingBytes < 0;
  }

  /** As text that PostgreSQL stores: what is no UTF-8 is replaced, U+0000 is left out. */
  get body(): string {
    return Buffer.concat(this.#chunks).toString('utf8').replaceAll('\0', '');
  }

  /** Takes nothing more. */
  abort(error: Error): void {
    this.#finish(error);
  }

  onRequestStart(): void {
    this.isRequestSent = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    this.retryAfter = [headers['retry-after']].flat()[0];
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isDone) return;
    this.#chunks.push(chunk.subarray(0, this.#remainingBytes));
    this.#remainingBytes -= chunk.length;
    if (this.isTooLarge) this.#finish();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(error);
  }

  #finish(error?: Error): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.error = error;
    this.#resolveDone();
  }
}
