/** An event about one account. */
export interface EmailAccountEvent {
  readonly email_account_id: number;
}

/** A mail in the mailbox of an account could not be read. */
export interface MailSkippedEvent extends EmailAccountEvent {
  /** Which mail it is, and why. */
  readonly error: string;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The account was edited, or its counter or default flag has changed, which may change whether it may send. */
    'email_account.updated': EmailAccountEvent;
    /** The provider of the account can probably be used again: a test was successful, or its login was changed. */
    'email_account.reachable': EmailAccountEvent;
    /** The service has made the account inactive. `email_account.updated` is published, too. */
    'email_account.disabled': EmailAccountEvent;
    /** A mail in the mailbox of the account could not be read three times. Those behind it are read. */
    'email_account.mail_skipped': MailSkippedEvent;
    /**
     * The account is about to be deleted, and is not the default account. Listeners remove the references to it; its
     * row is deleted right after.
     */
    'email_account.deleted': EmailAccountEvent;
  }
}
