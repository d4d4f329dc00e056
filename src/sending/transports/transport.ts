import type { ComposedMail, SendResult } from '../../email-accounts/index.js';

/** A connection to a provider with the credentials of one account. It sends one message at a time. */
export interface Transport {
  /** Whether it can send another message. */
  readonly isOpen: boolean;
  /** @param beforeContent called right before the content is sent; if it returns false, the result is `aborted` */
  send(mail: ComposedMail, beforeContent: () => Promise<boolean>): Promise<SendResult>;
  close(): void;
}
