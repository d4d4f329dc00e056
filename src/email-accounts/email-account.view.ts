import { IMAP_ENCRYPTIONS, SMTP_ENCRYPTIONS } from '@outreach/mail-sessions';
import { is, view } from '@outreach/http-api/responses';
import { DISABLED_REASONS, isRead } from './email-account.entity.js';
import { ACCOUNT_TYPES } from './providers/providers.js';
import type { AccountCounts, CountedAccount } from './email-accounts.queries.js';

/** API v1, "Email account". It contains no credentials, and no user name. */
export const emailAccountView = view(
  'EmailAccount',
  {
    id: is.id,
    /** The name, for you. At most 255 characters. */
    name: is.string,
    /** The sender's address in the header `From`. */
    from_email: is.string,
    /** The sender's name in the header `From`. At most 255 characters, in one line. */
    from_name: is.string,
    /** How the account sends. It never changes. */
    type: is.oneOf(ACCOUNT_TYPES),
    /** Whether campaigns without accounts of their own send from it. One account of the workspace is the default. */
    is_default: is.boolean,
    /** Whether it sends. The service sets it to `false` for one of the reasons in `disabled_reason`. */
    is_active: is.boolean,
    /**
     * Why the service has set `is_active` to `false`; null if it has not. An update with `is_active: true` clears it, and so
     * does connecting the account again.
     */
    disabled_reason: is.nullable(is.oneOf(DISABLED_REASONS)),
    /** When the service did so; null if it has not. */
    disabled_at: is.nullable(is.timestamp),
    /** How many messages it sends in a day (UTC) at most: 1 to 10,000. */
    daily_limit: is.integer,
    /**
     * How many seconds lie between two of its messages at least: 0 to 86,400. Up to half as much is added at random, anew
     * for each message. 0: none.
     */
    min_seconds_between: is.integer,
    /** How many messages it sends at most on the first day of its ramp; null without a ramp. */
    ramp_start: is.nullable(is.integer),
    /** By how many messages the limit grows on each day of the ramp, up to `daily_limit`. */
    ramp_per_day: is.integer,
    /** The first day (UTC) of the ramp; null without a ramp. It is set when `ramp_start` is set or changed. */
    ramp_started_on: is.nullable({ type: 'string', format: 'date' }),
    /** How many messages it has sent today (UTC). */
    sent_today: is.integer,
    /** When it sent the last message; null if it never has. */
    last_used_at: is.nullable(is.timestamp),
    /**
     * Until when its messages wait because its provider or relay has said that it sends too many (`provider_limit`); null if
     * they do not. The waits get longer, up to an hour and a half, until a message is accepted.
     */
    limited_until: is.nullable(is.timestamp),
    /** The mail server's host name or IP address; null if the type is not `smtp`. */
    smtp_host: is.nullable(is.string),
    /** The mail server's port; null if the type is not `smtp`. */
    smtp_port: is.nullable(is.integer),
    /** How the connection is encrypted; null if the type is not `smtp`. */
    smtp_encryption: is.nullable(is.oneOf(SMTP_ENCRYPTIONS)),
    /**
     * The host name or IP address of the IMAP server from which its mail is read; null if the type is not `smtp`, or if it
     * is not read.
     */
    imap_host: is.nullable(is.string),
    /** The IMAP server's port; null if the type is not `smtp`. */
    imap_port: is.nullable(is.integer),
    /** How the connection to the IMAP server is encrypted; null if the type is not `smtp`. */
    imap_encryption: is.nullable(is.oneOf(IMAP_ENCRYPTIONS)),
    /** Whether its mailbox is read: always for `google` and `microsoft`, for `smtp` if it has an `imap_host`. */
    reads_mailbox: is.boolean,
    /** When its mailbox was last read to the end; null if it never was. It stands still while reading fails. */
    mailbox_read_at: is.nullable(is.timestamp),
    /**
     * Why its mailbox could not be read when it was tried last, or which mail its server does not give: the mails behind that one
     * are read, and it is tried again for 7 days. Null if neither is so.
     */
    last_error: is.nullable(is.string),
    /**
     * The domain for which messages are signed (DKIM); null if the service does not sign them. It never shows the private
     * key.
     */
    dkim_domain: is.nullable(is.string),
    /** The selector of the key: its public part is at `{dkim_selector}._domainkey.{dkim_domain}`; null without DKIM. */
    dkim_selector: is.nullable(is.string),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (account: CountedAccount) => ({ reads_mailbox: isRead(account) }),
);

export const emailAccountStatsView = view(
  'EmailAccountStats',
  {
    /** How many messages it has sent today (UTC). */
    sent_today: is.integer,
    /** How many messages it sends in a day (UTC) at most. */
    daily_limit: is.integer,
    /** How many it may send today: `daily_limit`, or less while it ramps up. */
    effective_limit_today: is.integer,
    /** How many more it may send today. */
    remaining_today: is.integer,
    /** Whether it is active and may send more today. */
    can_send_today: is.boolean,
    /** How many messages it has ever sent. */
    total_sent: is.integer,
    /** How many messages it has sent in the last 7 days. */
    sent_last_7_days: is.integer,
    /** How many messages it has sent in the last 30 days. */
    sent_last_30_days: is.integer,
    /** When it sent the last message; null if it never has. */
    last_used_at: is.nullable(is.timestamp),
  },
  (counts: AccountCounts) => {
    const remaining = Math.max(0, counts.effective_limit_today - counts.sent_today);
    return { remaining_today: remaining, can_send_today: counts.is_active && remaining > 0 };
  },
);

export const connectionTestView = view('ConnectionTest', {
  /** Whether the connection and the login have worked. */
  success: is.boolean,
  /** What has worked, or what has failed and what to check, in a sentence. */
  message: is.string,
});
