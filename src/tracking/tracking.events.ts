import type { MessagesEvent } from '../sending/index.js';

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The recipients unsubscribed through these messages. `contact.unsubscribed` tells of the same contacts. */
    'email.unsubscribed': MessagesEvent;
  }
}
