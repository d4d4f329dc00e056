import type { ComposedMail, SendResult } from '../../email-accounts/index.js';

/** A way to one provider with one account's credentials, for one message at a time. */
export interface Transport {
  /** Whether it can take another message. */
  readonly isOpen: boolean;
  /** @param beforeContent asked at the last moment before the content goes out; false withdraws the message */
  send(mail: ComposedMail, beforeContent: () => Promise<boolean>): Promise<SendResult>;
  close(): void;
}
