/** Job keys are campaigns: due enrollments become queued messages. */
export const PLANNING = 'planning';

/** Job keys are email accounts: queued messages are sent. */
export const SENDING = 'sending';
