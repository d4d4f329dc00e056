/** A job reads one mailbox. */
export const MAILBOX_READING = 'mailbox-reading';
