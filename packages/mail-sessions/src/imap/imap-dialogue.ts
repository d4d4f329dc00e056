import { Transform } from 'node:stream';
import type { ImapFlow } from 'imapflow';
import { isRefusedCommand, TOO_SLOW } from './imap-failure.js';

/** How often the size of a reply is looked at. */
const CHECK_INTERVAL_MS = 100;

/**
 * How many bytes a server may send outside of literals during one step: the library needs about 100 ms for so many, and nothing
 * else runs meanwhile. The longest replies are lists of some hundred folders.
 */
const MAX_LINE_BYTES_OF_STEP = 65_536;
/** How many it may send in all, unless the step says otherwise: only messages are long literals. */
const MAX_STEP_BYTES = 2 * MAX_LINE_BYTES_OF_STEP;
/** Those of a message have one. */
const MAX_LITERALS_OF_REPLY = 3;

const TOO_MUCH = 'the server replied with more than it may send';

/**
 * A connection of imapflow whose steps have limits of time and size: what a server sends without a literal or without end
 * is collected by the library until the command ends. A step that fails closes the connection, unless the server has refused its
 * command and nothing else (`NO` or `BAD`; RFC 3501, 7.1).
 */
export class ImapDialogue {
  private limit: string | undefined;
  private lineBytes = 0;
  private failure: Error | undefined;

  /** @param describe returns the error of a failed step; its second argument is the limit that was exceeded */
  constructor(
    private readonly client: ImapFlow,
    private readonly describe: (error: unknown, limit: string | undefined) => Error,
  ) {
    client.on('error', (error: Error) => (this.failure ??= error));
    this.limitReplies();
  }

  get isOpen(): boolean {
    return this.client.usable;
  }

  /** Runs one step; only one at a time. @throws ImapLoginRefused or ImapUnavailable */
  async step<T>(work: () => Promise<T>, timeoutMs: number, maxBytes = MAX_STEP_BYTES): Promise<T> {
    const begun = this.client.stats().received;
    this.lineBytes = 0;
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
      if (this.failure || this.limit || !isRefusedCommand(error)) this.client.close();
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

  /** Examines each reply of the server before the library parses it. */
  private limitReplies(): void {
    const stream: unknown = Reflect.get(this.client, 'streamer');
    if (!(stream instanceof Transform)) throw new Error('imapflow has no stream of replies.');
    const push = stream.push.bind(stream);
    stream.push = (reply: unknown): boolean => {
      if (isReply(reply)) this.lineBytes += reply.payload.length;
      const isTooMuch = isReply(reply) && reply.literals.length > MAX_LITERALS_OF_REPLY;
      if (!isTooMuch && this.lineBytes <= MAX_LINE_BYTES_OF_STEP) return push(reply);
      this.abort(TOO_MUCH);
      return false;
    };
  }

  private abort(limit: string): void {
    this.limit ??= limit;
    this.client.close();
  }
}

/** A complete reply: its lines, and the literals between them. */
interface Reply {
  readonly payload: Buffer;
  readonly literals: readonly Buffer[];
}

const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && 'payload' in value && 'literals' in value;
