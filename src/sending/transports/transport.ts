import type { SendResult } from '@outreach/mail-sessions';
import type { ComposedMail, ProviderSession, Sending } from '../../email-accounts/index.js';

export type SendOptions = Pick<Sending, 'mayContinue' | 'isRepeated'>;

export interface OpeningOptions {
  /** Milliseconds for everything; by default the server has the time that RFC 5321 grants it. */
  readonly timeoutMs?: number;
  /** Ends the opening. */
  readonly signal?: AbortSignal;
}

/** A connection to a provider with the credentials of one account. It sends one message at a time. */
export interface Transport extends Omit<ProviderSession, 'send'> {
  send(mail: ComposedMail, options: SendOptions): Promise<SendResult>;
}
