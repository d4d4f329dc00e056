import type { CountedAccount } from './email-accounts.queries.js';

const DISABLED_AT = new Date('2026-03-17T16:45:03.211Z');

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
  sent_today: 48,
  sent_count: 48,
  counted_on: '2026-03-17',
  last_used_at: new Date('2026-03-17T16:44:58.020Z'),
  limited_until: null,
  limited_seconds: 0,
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
  sendgrid_api_key_encrypted: null,
  sendgrid_webhook_key: null,
  created_at: new Date('2026-03-02T08:50:00.000Z'),
  updated_at: DISABLED_AT,
};
