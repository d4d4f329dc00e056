import { type Sql, sql } from '../platform/database/index.js';

/** Messages that something happened to: a sub-select of their IDs. */
export interface MessagesEvent {
  readonly messages: Sql;
  /** When it happened, where that was before now. */
  readonly occurred_at?: Date;
}

export interface LinkClicked extends MessagesEvent {
  /** Where the link leads. */
  readonly url: string;
}

/** What a mail server, or its report, said of a message that it did not deliver. */
export interface Bounce {
  /** `hard`: the address is dead; `soft`: this message was not delivered, another may be. */
  readonly type: 'hard' | 'soft';
  /** The enhanced status code (RFC 3463), or else the reply code (RFC 5321). */
  readonly code: string | null;
  readonly message: string;
}

export interface MessagesBounced extends MessagesEvent {
  readonly bounce: Bounce;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The mail server has accepted the messages. */
    'email.sent': MessagesEvent;
    /** The recipient's server has confirmed that it has them. */
    'email.delivered': MessagesEvent;
    /** The recipient has opened them; each message once. */
    'email.opened': MessagesEvent;
    /** The recipient has followed a link, each time. */
    'email.clicked': LinkClicked;
    /** They were refused, at once or later. */
    'email.bounced': MessagesBounced;
    /** The recipient has reported them as spam. */
    'email.complained': MessagesEvent;
  }
}

/** The payload of an event about these messages. @param occurredAt when it happened, where that was before now */
export const messagesEvent = (ids: readonly number[], occurredAt?: Date): MessagesEvent => ({
  messages: sql`SELECT unnest(${[...ids]}::bigint[])`,
  ...(occurredAt ? { occurred_at: occurredAt } : {}),
});
