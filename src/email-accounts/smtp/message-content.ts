import { Readable } from 'node:stream';

/** The message as it goes over the wire, or how to compose it; asked for when the server is ready to take it. */
export type Content = Buffer | (() => Promise<Buffer>);

/** Thrown into the stream so that it never ends: a stream's end would become the final dot. */
class ContentAborted extends Error {}

/**
 * The content of one message. nodemailer reads its stream after the server's 354 and not before, which is the last
 * moment for second thoughts.
 */
export class MessageContent {
  /** Content may have gone out. */
  contentSent = false;
  /** The caller does not want the message to go out any more. */
  aborted = false;
  readonly stream: Readable;
  private decision: Promise<Buffer | undefined> | undefined;

  /** @param beforeContent the last veto: false withholds the message */
  constructor(
    private readonly content: Content,
    private readonly beforeContent?: () => Promise<boolean>,
  ) {
    this.stream = Readable.from(this.bytes());
  }

  /**
   * Waits for a decision that is being made, so that nobody hears of the message's end before it.
   * Throws what composing or deciding threw.
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
