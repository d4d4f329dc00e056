import type { Sql } from '../platform/database/index.js';

/** Replies that were stored. */
export interface RepliesEvent {
  /** A sub-select of their IDs. */
  readonly replies: Sql;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** Replies of people or machines were stored; once per reply. */
    'email.replied': RepliesEvent;
  }
}
