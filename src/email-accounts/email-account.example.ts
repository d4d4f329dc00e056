import type { CountedAccount } from './email-accounts.queries.js';

const DISABLED_AT = new Date('2026-03-17T16:45:03.211Z');

/** An account in whose mailbox a mail cannot be read, for the API reference. */
export const exampleWithError = (): CountedAccount => ({
  ...EXAMPLE_DISABLED,
  is_active: true,
  disabled_reason: null,
  disabled_at: null,
  last_error:
    'The mail 4711 in the folder INBOX could not be read: imap.gmail.com, port 993: the server replied Internal error (SERVERBUG)',
});

/** An account that the service has made inactive, for the API reference. */
export const EXAMPLE_DISABLED: CountedAccount = {
  workspace_id: 1,
  id: 5,
  name: "Julie's mailbox",
  type: 'google',
  from_email: 'julie@acme-events.example',
  from_name: 'Julie Bernard',
  is_default: true,
  is_active: false,
  disabled_reason: 'consent_withdrawn',
  disabled_at: DISABLED_AT,
  daily_limit: 200,
  min_seconds_between: 120,
  gap_begins_at: null,
  gap_random_part: 0,
  ramp_start: 20,
  ramp_per_day: 10,
  ramp_started_on: '2026-03-02',
  ramp_days: 11,
  sent_today: 48,
  sent_count: 48,
  counted_on: '2026-03-17',
  last_used_at: new Date('2026-03-17T16:44:58.020Z'),
  limited_until: null,
  limited_seconds: 0,
  deferred_messages: [],
  refused_messages: [],
  refused_signature: null,
  refused_otherwise: false,
  leased_by: null,
  lease_until: null,
  smtp_host: null,
  smtp_port: null,
  smtp_username: null,
  smtp_encryption: null,
  smtp_password_encrypted: null,
  imap_host: null,
  imap_port: null,
  imap_username: null,
  imap_encryption: null,
  imap_password_encrypted: null,
  mailbox_read_at: DISABLED_AT,
  last_error: null,
  dkim_domain: null,
  dkim_selector: null,
  dkim_private_key_encrypted: null,
  created_at: new Date('2026-03-02T08:50:00.000Z'),
  updated_at: DISABLED_AT,
};
