import { type Sql, sql } from '../platform/database/index.js';

/** Contacts that something happened to: a sub-select of their IDs, one or a million of them. */
export interface ContactsEvent {
  readonly contacts: Sql;
}

export interface ContactsUnsubscribed extends ContactsEvent {
  /** The messages through which they did: a sub-select of IDs, absent where it was none. */
  readonly through?: Sql | undefined;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    'contact.created': ContactsEvent;
    /** The record changed: its fields, its status, its tags or its lists. */
    'contact.updated': ContactsEvent;
    /** Published before the rows go, in their transaction and under their locks. */
    'contact.deleted': ContactsEvent;
    /** The contact does not want to be written to any more. `contact.updated` tells of the same move. */
    'contact.unsubscribed': ContactsUnsubscribed;
  }
}

/**
 * The payload of an event about these contacts. It holds the IDs themselves, so that it still means the same contacts
 * after the write that it tells of.
 */
export const contactsEvent = (ids: readonly number[]): ContactsEvent => ({
  contacts: sql`SELECT unnest(${[...ids]}::bigint[])`,
});
