/** What becomes of a table of tenants when a contact is erased. */
export interface ErasedTable {
  /**
   * `deleted`: the rows of the contact are deleted. `redacted`: rows stay, without what tells of the person. `hashed`: a keyed
   * hash takes the place of the address. `temporary`: rows are deleted soon, and cannot be read by users. `none`: no personal
   * data.
   */
  readonly kind: 'deleted' | 'redacted' | 'hashed' | 'temporary' | 'none';
  /** What exactly, or why not. */
  readonly how: string;
}

const WITH_CONTACT = { kind: 'deleted', how: 'with the contact, by a foreign key' } as const;
const WITH_ENROLLMENT = { kind: 'deleted', how: 'with the enrollment, by a foreign key' } as const;
const none = (how: string) => ({ kind: 'none', how }) as const;
const OF_THE_USER = none('what the user of the service has written, not data of contacts');
const COUNTS = none('only numbers');

/** All tables with a `workspace_id`; a test compares the list with the database. docs/privacy.md explains it. */
export const ERASED_TABLES: Readonly<Record<string, ErasedTable>> = {
  absences: WITH_CONTACT,
  auto_enroll_passes: none('how far automatic enrollment has come'),
  auto_enroll_sources: OF_THE_USER,
  api_tokens: none('tokens of users of the API'),
  blacklist_entries: { kind: 'hashed', how: 'the entry of the workspace; it still blocks the address' },
  campaign_accounts: OF_THE_USER,
  campaign_rates: COUNTS,
  campaign_steps: OF_THE_USER,
  campaigns: OF_THE_USER,
  changed_contacts: none('IDs, until a worker has examined the contacts'),
  companies: none('organisations, which exist without their contacts'),
  contact_changes: WITH_CONTACT,
  contact_refusals: none('keyed hashes since the contact unsubscribed'),
  contacts: { kind: 'deleted', how: 'the row itself' },
  custom_fields: none('keys and types; the values are in contacts'),
  domain_checks: none('domains of senders'),
  due_steps: WITH_ENROLLMENT,
  email_account_days: COUNTS,
  email_accounts: none('mailboxes of the user'),
  enrollment_changes: WITH_ENROLLMENT,
  event_batches: { kind: 'redacted', how: 'IDs stay' },
  event_feeds: none('the last ID of an event'),
  enrollments: WITH_CONTACT,
  erasures: none('an ID without a record, and for a minute encrypted values to search for'),
  failed_mails: none('numbers of mails, and what their servers reply'),
  former_emails: WITH_CONTACT,
  idempotency_keys: {
    kind: 'redacted',
    how: 'responses that tell of the person; keys that contain the address are deleted',
  },
  import_file_parts: { kind: 'temporary', how: 'files of imports that have not ended, deleted when these end' },
  import_refused_rows: { kind: 'redacted', how: 'the rows that tell of the person are removed' },
  imports: { kind: 'redacted', how: 'the cells in reported errors, file names with the address' },
  list_members: WITH_CONTACT,
  lists: OF_THE_USER,
  mailbox_cursors: none('positions in folders'),
  mailbox_readings: none('when mailboxes are read, and what their servers reply'),
  message_claims: none('IDs of messages that are being sent'),
  message_contents: {
    kind: 'redacted',
    how: 'deleted with the enrollment; answers to the person in other enrollments are emptied',
  },
  messages: {
    kind: 'redacted',
    how: 'deleted with the enrollment; subjects of answers to the person in others are removed',
  },
  new_contact_counts: COUNTS,
  oauth_grants: none('tokens for mailboxes of the user'),
  oauth_states: none('connections of mailboxes that have begun'),
  ordered_values: WITH_CONTACT,
  provider_callbacks: {
    kind: 'temporary',
    how: 'stored for some milliseconds, or for days if they fail; events about the person are removed',
  },
  queued_messages: WITH_ENROLLMENT,
  record_counts: COUNTS,
  removed_enrollments: WITH_CONTACT,
  replies: {
    kind: 'redacted',
    how: 'deleted with the enrollment; what the person wrote to messages of others is emptied',
  },
  sandbox_clocks: none('the time of a sandbox'),
  sandbox_delays: none('IDs of messages that a simulated mail server has not accepted yet'),
  sandbox_messages: {
    kind: 'deleted',
    how: 'those that were sent to the person, and tests with the fields of the contact',
  },
  sandbox_reactions: { kind: 'deleted', how: 'with the message of the sandbox, by a foreign key' },
  segment_counts: none('numbers, and digests of conditions, which change with those that are redacted'),
  segments: { kind: 'redacted', how: 'values of conditions that identify the person' },
  step_variants: OF_THE_USER,
  tag_members: WITH_CONTACT,
  tags: OF_THE_USER,
  templates: OF_THE_USER,
  tracking_domains: OF_THE_USER,
  tracking_events: WITH_ENROLLMENT,
  webhook_deliveries: none('which event is delivered next'),
  webhook_events: { kind: 'redacted', how: 'IDs stay' },
  webhook_log_counts: COUNTS,
  webhook_logs: { kind: 'redacted', how: 'what receivers have responded to events about the person' },
  webhooks: OF_THE_USER,
};
