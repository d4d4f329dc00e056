/** Something happened to one account. */
export interface EmailAccountEvent {
  readonly email_account_id: number;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The account may send now where it could not, or the reverse: it was edited, or its counter or role changed. */
    'email_account.updated': EmailAccountEvent;
    /**
     * The account is about to be deleted, and the default is another one already. Listeners settle what refers to it;
     * its row goes right after.
     */
    'email_account.deleted': EmailAccountEvent;
  }
}
