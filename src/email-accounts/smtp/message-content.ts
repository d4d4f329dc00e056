import { Readable } from 'node:stream';

/** The message as it is sent, or a function that composes it, called when the server is ready for the content. */
export type Content = Buffer | (() => Promise<Buffer>);

/** Fails the stream, because nodemailer sends the final dot when the stream ends. */
class ContentAborted extends Error {}

/**
 * The content of one message. nodemailer reads its stream only after the server's 354, so the stream can still be
 * aborted at that moment.
 */
export class MessageContent {
  /** Content may have been sent. */
  contentSent = false;
  /** `beforeContent` has returned false. */
  aborted = false;
  readonly stream: Readable;
  private decision: Promise<Buffer | undefined> | undefined;

  /** @param beforeContent called before the content is sent; if it returns false, nothing is sent */
  constructor(
    private readonly content: Content,
    private readonly beforeContent?: () => Promise<boolean>,
  ) {
    this.stream = Readable.from(this.bytes());
  }

  /**
   * Waits for a running `beforeContent`, so that the result of the message is not returned before it ends.
   * Throws what composing or `beforeContent` has thrown.
   */
  async settled(): Promise<void> {
    await this.decision;
  }

  private async *bytes(): AsyncGenerator<Buffer> {
    this.decision = this.decide();
    const bytes = await this.decision.catch(() => undefined);
    if (!bytes) throw new ContentAborted();
    this.contentSent = true;
    yield bytes;
  }

  private async decide(): Promise<Buffer | undefined> {
    const bytes = typeof this.content === 'function' ? await this.content() : this.content;
    this.aborted = this.beforeContent ? !(await this.beforeContent()) : false;
    return this.aborted ? undefined : bytes;
  }
}
