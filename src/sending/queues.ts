/** Lanes are campaigns: due enrollments become queued messages. */
export const PLANNING = 'planning';

/** Lanes are email accounts: queued messages are handed to the mail server. */
export const SENDING = 'sending';
