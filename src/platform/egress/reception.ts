import type { Dispatcher } from 'undici';

const MAX_BODY_BYTES = 64 * 1024;

/** What has arrived of an answer. An informational one (1xx, RFC 9110) is none. */
export class Reception implements Dispatcher.DispatchHandler {
  /** The request is being sent; what came before can be no answer to it. */
  isAwaited = false;
  /** 0 until the headers are there. */
  status = 0;
  retryAfter: string | undefined;
  /** Why there is no more of it, unless it came to its end or to more than is read. */
  failure: Error | undefined;
  /** Resolves when nothing more will be taken; never rejects. */
  readonly over: Promise<void>;
  #end: () => void = () => undefined;
  #isOver = false;
  #room = MAX_BODY_BYTES;
  readonly #parts: Buffer[] = [];

  constructor() {
    this.over = new Promise((resolve) => (this.#end = resolve));
  }

  /** There is more of it than is read. */
  get isOverfull(): boolean {
    return this.#room < 0;
  }

  /** As text that PostgreSQL stores: what is no UTF-8 is replaced, U+0000 is left out. */
  get body(): string {
    return Buffer.concat(this.#parts).toString('utf8').replaceAll('\0', '');
  }

  /** Takes nothing more. */
  cut(failure: Error): void {
    this.#finish(failure);
  }

  onRequestStart(): void {
    this.isAwaited = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    this.retryAfter = [headers['retry-after']].flat()[0];
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#parts.push(chunk.subarray(0, this.#room));
    this.#room -= chunk.length;
    if (this.isOverfull) this.#finish();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: unknown, failure: Error): void {
    this.#finish(failure);
  }

  #finish(failure?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.failure = failure;
    this.#end();
  }
}
