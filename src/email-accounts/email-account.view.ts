import { is, timestamp, view } from '../platform/http/index.js';
import type { ConnectionTestResult } from './connection-test.js';
import { EMAIL_ACCOUNT_TYPES, SMTP_ENCRYPTIONS } from './email-account.entity.js';
import type { AccountCounts, CountedAccount } from './email-accounts.queries.js';

/** API v1, "Email account". It contains no credentials, and no user name. */
export const emailAccountView = view(
  'EmailAccount',
  {
    id: is.id,
    name: is.string,
    from_email: is.string,
    from_name: is.string,
    type: is.oneOf(EMAIL_ACCOUNT_TYPES),
    is_default: is.boolean,
    is_active: is.boolean,
    daily_limit: is.integer,
    sent_today: is.integer,
    last_used_at: is.nullable(is.timestamp),
    smtp_host: is.nullable(is.string),
    smtp_port: is.nullable(is.integer),
    smtp_encryption: is.nullable(is.oneOf(SMTP_ENCRYPTIONS)),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (account: CountedAccount) => ({
    id: account.id,
    name: account.name,
    from_email: account.from_email,
    from_name: account.from_name,
    type: account.type,
    is_default: account.is_default,
    is_active: account.is_active,
    daily_limit: account.daily_limit,
    sent_today: account.sent_today,
    last_used_at: timestamp(account.last_used_at),
    smtp_host: account.smtp_host,
    smtp_port: account.smtp_port,
    smtp_encryption: account.smtp_encryption,
    created_at: timestamp(account.created_at),
    updated_at: timestamp(account.updated_at),
  }),
);

export const emailAccountStatsView = view(
  'EmailAccountStats',
  {
    sent_today: is.integer,
    daily_limit: is.integer,
    remaining_today: is.integer,
    can_send_today: is.boolean,
    total_sent: is.integer,
    sent_last_7_days: is.integer,
    sent_last_30_days: is.integer,
    last_used_at: is.nullable(is.timestamp),
  },
  (counts: AccountCounts) => {
    const remaining = Math.max(0, counts.daily_limit - counts.sent_today);
    return {
      sent_today: counts.sent_today,
      daily_limit: counts.daily_limit,
      remaining_today: remaining,
      can_send_today: counts.is_active && remaining > 0,
      total_sent: counts.total_sent,
      sent_last_7_days: counts.sent_last_7_days,
      sent_last_30_days: counts.sent_last_30_days,
      last_used_at: timestamp(counts.last_used_at),
    };
  },
);

export const connectionTestView = view(
  'ConnectionTest',
  { success: is.boolean, message: is.string },
  ({ success, message }: ConnectionTestResult) => ({ success, message }),
);
