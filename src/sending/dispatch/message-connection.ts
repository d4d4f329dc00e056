import type { Transport } from '../transports/index.js';

/** The connection of one message: that of the message before, or a new one, for which a server may take minutes. */
export class MessageConnection {
  private readonly closing = new AbortController();
  private opening: Promise<Transport> | undefined;

  /** @param acquire opens a transport, or takes one of the pool @throws LoginRefused, ProviderUnavailable */
  constructor(
    private current: Transport | undefined,
    private readonly acquire: (signal: AbortSignal) => Promise<Transport>,
  ) {}

  /** Undefined while none is open. */
  get transport(): Transport | undefined {
    return this.opening ? undefined : this.current;
  }

  get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Whether the server is waited for. */
  get isOpening(): boolean {
    return this.opening !== undefined;
  }

  /** Resolves when the server is not waited for any more. */
  get opened(): Promise<unknown> {
    return this.opening?.catch(() => undefined) ?? Promise.resolve();
  }

  /** Returns a transport that can send: a server may have closed the last one. @throws LoginRefused, ProviderUnavailable */
  async open(): Promise<Transport> {
    if (this.current?.isOpen) return this.current;
    this.current = undefined;
    this.opening = this.acquire(this.closing.signal);
    try {
      return (this.current = await this.opening);
    } finally {
      this.opening = undefined;
    }
  }

  /** Closes it, or ends the opening. */
  close(): void {
    this.closing.abort();
    this.current?.close();
  }
}
