import type { ImapFlow } from 'imapflow';
import { TOO_SLOW } from './imap-failure.js';

/** How often the size of a reply is looked at. */
const CHECK_INTERVAL_MS = 100;

/** How many bytes a server may send during one step, unless the step says otherwise. */
const MAX_STEP_BYTES = 2_097_152;

const TOO_MUCH = 'the server replied with more than it may send';

/**
 * A connection of imapflow whose steps have limits of time and size: what a server sends without a literal or without end
 * is collected by the library until the command ends. A step that exceeds a limit closes the connection.
 */
export class ImapDialogue {
  private limit: string | undefined;
  private failure: Error | undefined;

  /** @param describe returns the error of a failed step; its second argument is the limit that was exceeded */
  constructor(
    private readonly client: ImapFlow,
    private readonly describe: (error: unknown, limit: string | undefined) => Error,
  ) {
    client.on('error', (error: Error) => (this.failure ??= error));
  }

  get isOpen(): boolean {
    return this.client.usable;
  }

  /** Runs one step; only one at a time. @throws ImapLoginRefused or ImapUnavailable */
  async step<T>(work: () => Promise<T>, timeoutMs: number, maxBytes = MAX_STEP_BYTES): Promise<T> {
    const begun = this.client.stats().received;
    const checks = setInterval(() => {
      if (this.client.stats().received - begun > maxBytes) this.abort(TOO_MUCH);
    }, CHECK_INTERVAL_MS);
    const deadline = setTimeout(() => this.abort(TOO_SLOW), Math.max(0, timeoutMs));
    try {
      const result = await work();
      // Some methods of the library return a value that means nothing when the connection has failed.
      if (this.failure ?? this.limit) throw new Error('The connection was lost.');
      return result;
    } catch (error) {
      this.client.close();
      throw this.describe(this.failure ?? error, this.limit);
    } finally {
      clearInterval(checks);
      clearTimeout(deadline);
    }
  }

  /** Closes the connection at once. The running step fails. */
  close(): void {
    this.client.close();
  }

  private abort(limit: string): void {
    this.limit ??= limit;
    this.client.close();
  }
}
