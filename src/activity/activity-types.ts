/** What has happened to a contact, in the order in which the entries of one instant follow each other. */
export const ACTIVITY_TYPES = [
  /** The contact was created. `data`: `source`. */
  'contact.created',
  /** The contact was enrolled in a campaign. */
  'enrollment.created',
  /** A step was skipped by request. */
  'enrollment.skipped',
  /** The enrollment was moved to another step by request. */
  'enrollment.moved',
  /** A mail server or a provider has accepted a message. */
  'email.sent',
  /** A report says that a message has arrived. */
  'email.delivered',
  /** The pixel of a message was loaded. `data`: `counted`, `bot_reason`. */
  'email.opened',
  /** A link of a message was requested. `data`: `url`, `counted`, `bot_reason`. */
  'email.clicked',
  /** A reply to a message was received. `data`: `reply_id`, `classification`, `is_automatic`. */
  'email.replied',
  /** A message was returned, because its address does not exist. */
  'email.bounced',
  /** A message was reported as spam. */
  'email.complained',
  /** The contact has unsubscribed through a message. */
  'email.unsubscribed',
  /** The status of the contact has changed. `data`: `from`, `to`, `source`. */
  'contact.status_changed',
  /** The contact has agreed to the measurement of opens and clicks, or refused it. `data`: `from`, `to`, `source`. */
  'contact.consent_changed',
  /** The enrollment has ended: the last step was sent, or the contact has replied. */
  'enrollment.completed',
  /** The enrollment has ended, because a message could not be delivered. */
  'enrollment.failed',
  /** The enrollment has ended, because the contact has unsubscribed. */
  'enrollment.unsubscribed',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];
