export { recountNewContacts, reserveAgain, revokeReservations } from './changed-limit.queries.js';
export { NewContactCount } from './new-contact-count.entity.js';
export {
  countWaitingForPlace,
  lockNewContacts,
  MAX_NEW_CONTACTS_REASON,
  type NewContacts,
  postponeNewContactPlanning,
  postponeNewContacts,
  reserveFor,
  reserveForWaiting,
  reserveNewContacts,
  returnNewContacts,
} from './new-contacts.queries.js';
