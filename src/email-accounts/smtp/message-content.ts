import { Readable } from 'node:stream';

/** The message as it is sent, or a function that composes it, called when the server is ready for the content. */
export type Content = Buffer | (() => Promise<Buffer>);

/** Larger contents are written in several parts: escaping the dots of a megabyte takes ten milliseconds. */
const PART_BYTES = 65_536;

/** Fails the stream, because nodemailer sends the final dot when the stream ends. */
class ContentAborted extends Error {
  override readonly message = 'it was aborted before the end of the content';
}

/** What is asked while a message is sent. */
export interface ContentChecks {
  /** Called before the content and again before the final dot: if it returns false, the rest is not sent. */
  readonly mayContinue?: (() => Promise<boolean>) | undefined;
  /** Resolves when the next part of a large content may be written. Throws if the server has closed the connection. */
  readonly nextPart: () => Promise<void>;
  /** Resolves when the content has left this process. Throws if the server has closed the connection. */
  readonly flushed: () => Promise<void>;
}

/**
 * The content of one message. nodemailer reads its stream only after the server's 354, so the stream can still be
 * aborted at that moment, and again before the final dot, without which no server accepts a message (RFC 5321, 4.1.1.4).
 */
export class MessageContent {
  /** The final dot may have been sent. Before that, the server has certainly not accepted the message. */
  finalDotSent = false;
  /** `mayContinue` has returned false. */
  aborted = false;
  readonly stream: Readable;
  private readonly decisions: Promise<unknown>[] = [];

  constructor(
    private readonly content: Content,
    private readonly checks: ContentChecks,
  ) {
    this.stream = Readable.from(this.bytes());
  }

  /**
   * Waits for running checks, so that the result of the message is not returned before they end.
   * Throws what composing or `mayContinue` has thrown.
   */
  async settled(): Promise<void> {
    await Promise.all(this.decisions);
  }

  private async *bytes(): AsyncGenerator<Buffer> {
    const bytes = await this.decided(this.compose());
    if (!bytes) throw new ContentAborted();
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      if (start > 0) await this.checks.nextPart();
      yield bytes.subarray(start, start + PART_BYTES);
    }
    await this.checks.flushed();
    if (!(await this.decided(this.mayContinue()))) throw new ContentAborted();
    this.finalDotSent = true;
  }

  private async compose(): Promise<Buffer | undefined> {
    const bytes = typeof this.content === 'function' ? await this.content() : this.content;
    return (await this.mayContinue()) ? bytes : undefined;
  }

  private async mayContinue(): Promise<boolean> {
    this.aborted = this.checks.mayContinue ? !(await this.checks.mayContinue()) : false;
    return !this.aborted;
  }

  /** An error of the decision aborts the stream, and `settled` throws it. */
  private decided<T>(decision: Promise<T>): Promise<T | undefined> {
    this.decisions.push(decision);
    return decision.catch(() => undefined);
  }
}
