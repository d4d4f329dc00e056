import { KnownIds, type Sql } from '../platform/database/index.js';

/** The contacts of an event: a sub-select of their IDs, for one contact or a million. */
export interface ContactsEvent {
  readonly contacts: Sql;
}

export interface ContactsDeleted extends ContactsEvent {
  /** Nothing about them may be published but their IDs. */
  readonly isErasure?: boolean;
}

/** Contacts that have unsubscribed. */
export interface ContactsUnsubscribed extends ContactsEvent {
  /** A sub-select of the IDs of the messages whose links they used; absent if they used none. */
  readonly through?: Sql | undefined;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    'contact.created': ContactsEvent;
    /** The contact's fields, status, tags or lists changed. */
    'contact.updated': ContactsEvent;
    /** The time zone of the contacts may have changed. `contact.updated` is published too. */
    'contact.timezone_changed': ContactsEvent;
    /** Published before the rows are deleted, in the same transaction, while they are locked. */
    'contact.deleted': ContactsDeleted;
    /**
     * The contact got an address that had unsubscribed or complained, and its status, or a client says that it has complained
     * in another system. `contact.updated` is published too.
     */
    'contact.address_refused': ContactsEvent;
    /** The contact unsubscribed. `contact.updated` is published too. */
    'contact.unsubscribed': ContactsUnsubscribed;
  }
}

/**
 * The payload of an event about these contacts. It contains the IDs, not a condition, so it selects the same contacts
 * after the write.
 */
export const contactsEvent = (ids: readonly number[]): ContactsEvent => ({
  contacts: new KnownIds(ids),
});
