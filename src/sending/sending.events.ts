import type { Sql } from '../platform/database/index.js';

/** Messages that something happened to: a sub-select of their IDs. */
export interface MessagesEvent {
  readonly messages: Sql;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The mail server has accepted the messages. */
    'email.sent': MessagesEvent;
    /** The address is dead. */
    'email.bounced': MessagesEvent;
  }
}
