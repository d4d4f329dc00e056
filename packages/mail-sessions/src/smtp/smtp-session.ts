import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import type { SendResult } from './send-result.js';
import { type Content, type ContentConnection, MessageContent } from './message-content.js';
import type { ReplySanitizer } from '../login/reply-text.js';
import type { SmtpDialogue, SmtpFailure } from './smtp-dialogue.js';
import { sendResultOf } from './smtp-result.js';

const RESET_TIMEOUT_MS = 10_000;
const QUIT_TIMEOUT_MS = 2_000;

/** The sender and the recipient in MAIL and RCPT, as plain addresses. The headers of the message do not matter. */
export interface SmtpEnvelope {
  readonly from: string;
  readonly to: string;
}

/** A connection that is ready and sends one message after the other. */
export interface SmtpSession {
  /** Whether it can send another message. Servers may close idle sessions at any time. */
  readonly isOpen: boolean;
  /** Whether a login took place: a relay may offer none. */
  readonly isLoggedIn: boolean;
  /**
   * Sends one message; only one at a time. Refusals and lost connections are results, not errors. What `message` and
   * `beforeContent` throw is thrown again, and closes the session.
   * @param message a complete RFC 5322 message of 7-bit lines, or a function that composes it, called when the server
   *   is ready for it
   */
  send(envelope: SmtpEnvelope, message: Content, options?: SmtpSendOptions): Promise<SendResult>;
  /** Sends QUIT. A message that is being sent is interrupted. */
  close(): void;
}

/** How one message is sent. */
export interface SmtpSendOptions {
  /**
   * Called when the server is ready for the content, and again before the final dot: if it returns false, the session is
   * closed, the server cannot accept the message, and the result is `aborted`.
   */
  readonly mayContinue?: () => Promise<boolean>;
  /** Waited for before each further part of a large message, of 64 KB, is written. */
  readonly nextPart?: () => Promise<unknown>;
  /**
   * Milliseconds between the content and the final dot; 0 by default. A server that closes the connection during the
   * content is noticed before the dot is sent: then it is certain that the server has not accepted the message.
   */
  readonly finalDotDelayMs?: number;
}

/** The timeouts of a session, in milliseconds. */
export interface SessionTimeouts {
  /** From MAIL to the final dot. */
  readonly messageTimeoutMs: number;
  /** For the reply to the final dot. */
  readonly replyTimeoutMs: number;
}

/** {@link SmtpSession} on a connection of nodemailer. */
export class OpenSmtpSession implements SmtpSession {
  private busy = false;
  private closed = false;

  constructor(
    private readonly connection: SMTPConnection,
    private readonly dialogue: SmtpDialogue,
    private readonly replyText: ReplySanitizer,
    private readonly timeouts: SessionTimeouts,
  ) {}

  get isLoggedIn(): boolean {
    return this.connection.authenticated;
  }

  get isOpen(): boolean {
    return !this.closed && this.dialogue.isOpen;
  }

  async send(envelope: SmtpEnvelope, message: Content, options: SmtpSendOptions = {}): Promise<SendResult> {
    if (this.busy) throw new Error('The session is sending another message.');
    this.busy = true;
    try {
      const content = new MessageContent(message, this.contentConnection(options));
      const { result, failure } = await this.dialogue.step<SMTPConnectionSendInfo>(
        (done) => this.connection.send({ ...envelope }, content.stream, done),
        this.timeouts.messageTimeoutMs,
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

  private contentConnection({ mayContinue, nextPart, finalDotDelayMs = 0 }: SmtpSendOptions): ContentConnection {
    return {
      mayContinue,
      sendsDotAtOnce: finalDotDelayMs === 0,
      write: (bytes) => this.openSocket().write(bytes),
      nextPart: async () => {
        await this.partFlushed();
        await nextPart?.();
      },
      flushed: async () => {
        await this.partFlushed();
        if (finalDotDelayMs > 0) await pause(finalDotDelayMs);
        this.openSocket();
      },
      // The server has more time for its reply to the final dot. A closed connection has no step to extend.
      beforeFinalDot: () => {
        this.openSocket();
        this.dialogue.extend(this.timeouts.replyTimeoutMs);
      },
    };
  }

  private async failed(failure: SmtpFailure, content: MessageContent): Promise<SendResult> {
    const sendResult = sendResultOf(failure, content.finalDotSent, this.replyText);
    const isOrderly = sendResult.kind === 'refused' && (sendResult.phase !== 'message' || content.finalDotSent);
    // Unless the server has ended the transaction, it still waits for the final dot: the connection must be closed.
    if (!isOrderly) this.connection.close();
    await content.settled();
    if (content.aborted) return { kind: 'aborted' };
    await this.reset();
    return sendResult;
  }

  /** Waits until what was written before has left this process. @throws if the connection is closed */
  private async partFlushed(): Promise<void> {
    const socket = this.openSocket();
    if (socket.writableLength > 0) await flushed(socket);
    // By then the end of the connection is known if the server has closed it before.
    await nextTurn();
    this.openSocket();
  }

  /** @throws if the connection is closed */
  private openSocket(): Socket {
    const socket = this.connection._socket;
    if (!this.isOpen || !socket || !socket.writable) throw new Error('it was closed before the end of the content');
    return socket;
  }

  /**
   * RSET, so that a refused message does not affect the next one. If the server refuses it, the connection is closed.
   */
  private async reset(): Promise<void> {
    if (!this.isOpen) return;
    const { failure } = await this.dialogue.step<boolean>((done) => this.connection.reset(done), RESET_TIMEOUT_MS);
    if (failure) this.connection.close();
  }
}

/** Resolves when everything that was written before has left this process, or the socket is closed. */
const flushed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.write('', () => resolve()));
