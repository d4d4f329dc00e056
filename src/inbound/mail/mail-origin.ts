/** What is known of a mail beside its content. */
export interface MailOrigin {
  /** The account whose mailbox was read; undefined if the mail was passed on by a server. */
  readonly email_account_id?: number;
  /** When the mailbox received it; now if absent. */
  readonly received_at?: Date;
}
