import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { EncryptedAccount } from './credentials.js';
import { sentTodayOf, today } from './daily-count.js';
import { EmailAccount } from './email-account.entity.js';

/** What the row `record` has sent or reserved today. */
export const sentToday = sentTodayOf('record');

/** An account with its computed column. */
export type CountedAccount = EmailAccount & { readonly sent_today: number };

/** The accounts with `sent_today`. */
export const countedAccounts = (scope: WorkspaceScope) =>
  scope.of(EmailAccount).withColumns<{ sent_today: number }>(sql`, ${sentToday} AS sent_today`);

/** What the stats endpoint shows, but for what follows from it. */
export interface AccountCounts {
  readonly is_active: boolean;
  readonly daily_limit: number;
  readonly sent_today: number;
  readonly total_sent: number;
  readonly sent_last_7_days: number;
  readonly sent_last_30_days: number;
  readonly last_used_at: Date | null;
}

/** The counts of one account, today being one of the 7 and 30 days; undefined where it is gone. */
export async function findCounts(scope: WorkspaceScope, id: number): Promise<AccountCounts | undefined> {
  const [counts] = await scope.query<AccountCounts & Record<string, unknown>>(
    sql`SELECT record.is_active, record.daily_limit, record.last_used_at, ${sentToday} AS sent_today,
          coalesce(sum(day.sent), 0) AS total_sent,
          coalesce(sum(day.sent) FILTER (WHERE day.day > ${today} - 7), 0) AS sent_last_7_days,
          coalesce(sum(day.sent) FILTER (WHERE day.day > ${today} - 30), 0) AS sent_last_30_days
        FROM email_accounts record
        LEFT JOIN email_account_days day ON day.workspace_id = ${scope} AND day.email_account_id = record.id
        WHERE record.workspace_id = ${scope} AND record.id = ${id}
        GROUP BY record.workspace_id, record.id`,
  );
  return counts;
}

/** An account with its sealed secrets. */
export type StoredMailbox = EncryptedAccount & Pick<EmailAccount, 'id' | 'is_active' | 'from_email' | 'from_name'>;

export async function findStored(scope: WorkspaceScope, id: number): Promise<StoredMailbox | undefined> {
  const [account] = await scope.query<StoredMailbox & Record<string, unknown>>(
    sql`SELECT id, type, is_active, from_email, from_name, smtp_host, smtp_port, smtp_username, smtp_encryption,
          smtp_password_encrypted, sendgrid_api_key_encrypted
        FROM email_accounts WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  return account;
}

/** The keys for which SendGrid signs its events to the workspace. */
export async function findWebhookKeys(scope: WorkspaceScope): Promise<string[]> {
  const rows = await scope.query<{ key: string }>(
    sql`SELECT DISTINCT sendgrid_webhook_key AS key FROM email_accounts
        WHERE workspace_id = ${scope} AND type = 'sendgrid' AND sendgrid_webhook_key IS NOT NULL`,
  );
  return rows.map(({ key }) => key);
}

/** Those who move the default flag of a workspace take turns until their transactions end: it must never be lost. */
export async function lockDefault(scope: WorkspaceScope): Promise<void> {
  await scope.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('email_accounts.is_default', ${scope}))`);
}

/** Where no account is the default, the oldest active one becomes it, else the oldest; never the one that is `leaving`. */
export async function ensureDefault(scope: WorkspaceScope, leaving: number | null = null): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET is_default = TRUE, updated_at = now()
        WHERE workspace_id = ${scope}
          AND NOT EXISTS (SELECT 1 FROM email_accounts WHERE workspace_id = ${scope} AND is_default)
          AND id = (SELECT id FROM email_accounts
                    WHERE workspace_id = ${scope} AND id IS DISTINCT FROM ${leaving}::bigint
                    ORDER BY is_active DESC, created_at, id LIMIT 1)`,
  );
}

/** Takes the default flag from whoever has it. */
export async function clearDefault(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET is_default = FALSE, updated_at = now() WHERE workspace_id = ${scope} AND is_default`,
  );
}

/** Whether the account is the only one. */
export async function isOnlyAccount(scope: WorkspaceScope, id: number): Promise<boolean> {
  const others = await scope.query(
    sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${scope} AND id <> ${id} LIMIT 1`,
  );
  return others.length === 0;
}

/** Says whether the account was active before. */
export async function deactivate(scope: WorkspaceScope, id: number): Promise<boolean> {
  const changed = await scope.execute(
    sql`UPDATE email_accounts SET is_active = FALSE, updated_at = now()
        WHERE workspace_id = ${scope} AND id = ${id} AND is_active`,
  );
  return changed === 1;
}
