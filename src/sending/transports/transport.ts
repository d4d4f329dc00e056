import type { ComposedMail, SendResult } from '../../email-accounts/index.js';

/** How one message is sent. */
export interface SendOptions {
  /** Called right before the content is sent and before its end; if it returns false, the result is `aborted`. */
  readonly mayContinue: () => Promise<boolean>;
  /** The provider may have accepted the message before: makes sure of the result, if that costs only time. */
  readonly isRepeated: boolean;
}

/** How a transport is opened. */
export interface OpeningOptions {
  /** Milliseconds for everything; by default the server has the time that RFC 5321 grants it. */
  readonly timeoutMs?: number;
  /** Ends the opening. */
  readonly signal?: AbortSignal;
}

/** A connection to a provider with the credentials of one account. It sends one message at a time. */
export interface Transport {
  /** Whether it can send another message. */
  readonly isOpen: boolean;
  /** Whether an uncertain result closes it, so that the next message needs a new connection. */
  readonly hasSession: boolean;
  send(mail: ComposedMail, options: SendOptions): Promise<SendResult>;
  close(): void;
}
