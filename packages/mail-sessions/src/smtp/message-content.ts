import { Duplex, Readable } from 'node:stream';
import { endOfContent, escapeLines } from './content-lines.js';

/** The message as it is sent, or a function that composes it, called when the server is ready for the content. */
export type Content = Buffer | (() => Promise<Buffer>);

/** Larger contents are written in several parts: escaping the dots of a megabyte takes ten milliseconds. */
const PART_BYTES = 65_536;

/** The rest of the content is not sent. */
class ContentAborted extends Error {
  override readonly message = 'it was aborted before the end of the content';
}

/** What is asked while a message is sent, and where it is written. */
export interface ContentConnection {
  /** Called before the content and, if it takes long, again before the final dot: if it returns false, the rest is not sent. */
  readonly mayContinue?: (() => Promise<boolean>) | undefined;
  /** Whether a content of one part may be sent together with the final dot. Otherwise `flushed` comes between them. */
  readonly sendsDotAtOnce: boolean;
  /** Writes to the server. Throws if the connection is closed. */
  readonly write: (bytes: Buffer) => void;
  /** Resolves when the next part of a large content may be written. Throws if the server has closed the connection. */
  readonly nextPart: () => Promise<void>;
  /** Resolves when the content has left this process. Throws if the server has closed the connection. */
  readonly flushed: () => Promise<void>;
  /** Called before the final dot is written. Throws if the connection is closed. */
  readonly beforeFinalDot: () => void;
}

/** Calls `start` when nodemailer has received the 354 of the server and pipes the content to it. */
class ContentStream extends Readable {
  constructor(private readonly start: () => Promise<void>) {
    super();
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    // The streams of nodemailer look at each byte, and take longer than everything else for a message of 5 kB.
    if (destination instanceof Duplex) destination.unpipe();
    this.start().catch((error: Error) => this.destroy(error));
    return destination;
  }
}

/**
 * The content of one message. It is written only after the server's 354, so it can still be aborted at that moment, and
 * a large one again before the final dot, without which no server accepts a message (RFC 5321, 4.1.1.4).
 */
export class MessageContent {
  /** The final dot may have been sent. Before that, the server has certainly not accepted the message. */
  finalDotSent = false;
  /** `mayContinue` has returned false. */
  aborted = false;
  readonly stream: Readable = new ContentStream(() => this.send());
  private readonly decisions: Promise<unknown>[] = [];

  constructor(
    private readonly content: Content,
    private readonly connection: ContentConnection,
  ) {}

  /**
   * Waits for running checks, so that the result of the message is not returned before they end.
   * Throws what composing or `mayContinue` has thrown.
   */
  async settled(): Promise<void> {
    await Promise.all(this.decisions);
  }

  private async send(): Promise<void> {
    const bytes = await this.decided(this.compose());
    if (!bytes) throw new ContentAborted();
    const { write, sendsDotAtOnce } = this.connection;
    const end = endOfContent(bytes);
    if (sendsDotAtOnce && bytes.length <= PART_BYTES) return this.end(Buffer.concat([escapeLines(bytes), end]));
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      if (start > 0) await this.connection.nextPart();
      write(escapeLines(bytes.subarray(start, start + PART_BYTES), bytes.subarray(0, start)));
    }
    await this.connection.flushed();
    if (!(await this.decided(this.mayContinue()))) throw new ContentAborted();
    this.end(end);
  }

  /** Writes what ends with the final dot. */
  private end(bytes: Buffer): void {
    this.connection.beforeFinalDot();
    this.finalDotSent = true;
    this.connection.write(bytes);
  }

  private async compose(): Promise<Buffer | undefined> {
    const bytes = typeof this.content === 'function' ? await this.content() : this.content;
    return (await this.mayContinue()) ? bytes : undefined;
  }

  private async mayContinue(): Promise<boolean> {
    const { mayContinue } = this.connection;
    this.aborted = mayContinue ? !(await mayContinue()) : false;
    return !this.aborted;
  }

  /** An error of the decision aborts the content, and `settled` throws it. */
  private decided<T>(decision: Promise<T>): Promise<T | undefined> {
    this.decisions.push(decision);
    return decision.catch(() => undefined);
  }
}
