import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import type { SendResult } from '../send-result.js';
import { type Content, MessageContent } from './message-content.js';
import type { ReplySanitizer } from './reply-text.js';
import type { SmtpDialogue, SmtpFailure } from './smtp-dialogue.js';
import { sendResultOf } from './smtp-result.js';

const RESET_TIMEOUT_MS = 10_000;
const QUIT_TIMEOUT_MS = 2_000;

/** Whom the server is told about, as bare addresses; the message's own headers are not looked at. */
export interface SmtpEnvelope {
  readonly from: string;
  readonly to: string;
}

/** A connection that is logged in and takes one message after the other. */
export interface SmtpSession {
  /** Whether it can take another message. Servers end idle sessions as they like. */
  readonly isOpen: boolean;
  /**
   * Hands one message to the server; one at a time. The outcome never throws, but what `message` and `beforeContent`
   * throw comes out again, and ends the session.
   * @param message a complete RFC 5322 message of 7-bit lines, or how to compose it once the server waits for it
   * @param beforeContent asked when the server is ready for the content, the last moment: false ends the session
   *   before the final dot, and the outcome is `aborted`
   */
  send(envelope: SmtpEnvelope, message: Content, beforeContent?: () => Promise<boolean>): Promise<SendResult>;
  /** Says goodbye. A message in hand is cut off. */
  close(): void;
}

/** {@link SmtpSession} on nodemailer's connection. */
export class OpenSmtpSession implements SmtpSession {
  private busy = false;
  private closed = false;

  constructor(
    private readonly connection: SMTPConnection,
    private readonly dialogue: SmtpDialogue,
    private readonly replyText: ReplySanitizer,
    private readonly messageTimeoutMs: number,
  ) {}

  get isOpen(): boolean {
    return !this.closed && this.dialogue.isOpen;
  }

  async send(envelope: SmtpEnvelope, message: Content, beforeContent?: () => Promise<boolean>): Promise<SendResult> {
    if (this.busy) throw new Error('The session is handing over another message.');
    this.busy = true;
    try {
      const content = new MessageContent(message, beforeContent);
      const { result, failure } = await this.dialogue.step<SMTPConnectionSendInfo>(
        (done) => this.connection.send({ ...envelope }, content.stream, done),
        this.messageTimeoutMs,
      );
      return failure
        ? await this.failed(failure, content)
        : { kind: 'accepted', response: this.replyText(result?.response ?? '') };
    } finally {
      this.busy = false;
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.closed = true;
    if (this.busy) return this.connection.close();
    this.connection.quit();
    setTimeout(() => this.connection.close(), QUIT_TIMEOUT_MS).unref();
  }

  private async failed(failure: SmtpFailure, content: MessageContent): Promise<SendResult> {
    const sendResult = sendResultOf(failure, content.contentSent, this.replyText);
    const isOrderly = sendResult.kind === 'refused' && (sendResult.stage !== 'message' || content.contentSent);
    // What was not given up in order must not go on: content that is still withheld would follow.
    if (!isOrderly) this.connection.close();
    await content.settled();
    if (content.aborted) return { kind: 'aborted' };
    await this.reset();
    return sendResult;
  }

  /** The next message must not meet what a refused one has left behind; a server that keeps it is left. */
  private async reset(): Promise<void> {
    if (!this.isOpen) return;
    const { failure } = await this.dialogue.step<boolean>((done) => this.connection.reset(done), RESET_TIMEOUT_MS);
    if (failure) this.connection.close();
  }
}
