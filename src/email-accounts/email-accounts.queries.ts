import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { EncryptedAccount } from './credentials.js';
import { effectiveLimitOf, sentTodayOf, today } from './daily-count.js';
import { type DisabledReason, EmailAccount } from './email-account.entity.js';
import type { MailProvider } from './providers/provider.js';
import { inputColumnsOf, inputsOf, PROVIDERS } from './providers/providers.js';

/** How many messages the account `record` has sent or reserved today. */
export const sentToday = (scope: WorkspaceScope): Sql => sentTodayOf(scope, 'record');

/** The columns of an account that other tables have, or that are computed. */
interface AccountColumns {
  readonly sent_today: number;
  readonly ramp_started_on: string | null;
  /** Null after it. */
  readonly limited_until: Date | null;
  readonly mailbox_read_at: Date | null;
  readonly last_error: string | null;
}

export type CountedAccount = EmailAccount & AccountColumns;

export const countedAccounts = (scope: WorkspaceScope) =>
  scope.of(EmailAccount).withColumns<AccountColumns>(sql`, ${sentToday(scope)} AS sent_today,
    record.ramp_started_on::text AS ramp_started_on,
    CASE WHEN record.limited_until > ${scope.now} THEN record.limited_until END AS limited_until, (
    SELECT reading.read_at FROM mailbox_readings reading
    WHERE reading.workspace_id = ${scope} AND reading.email_account_id = record.id) AS mailbox_read_at,
    ${readingError(scope, sql`record.id`)} AS last_error`);

/** SQL: why the mailbox of an account cannot be read, or else the last of its mails; null if all can. */
const readingError = (scope: WorkspaceScope, accountId: Sql): Sql => sql`coalesce((
    SELECT reading.last_error FROM mailbox_readings reading
    WHERE reading.workspace_id = ${scope} AND reading.email_account_id = ${accountId}), (
    SELECT mail.error FROM failed_mails mail
    WHERE mail.workspace_id = ${scope} AND mail.email_account_id = ${accountId}
      ORDER BY mail.failed_at DESC, mail.uid DESC LIMIT 1))`;

/**
 * Ends the pauses of a mailbox and of its mails that could not be read. @returns what has gone wrong before; null if nothing has
 */
export async function endReadingPause(scope: WorkspaceScope, id: number): Promise<string | null> {
  const [row] = await scope.query<{ last_error: string | null }>(
    sql`WITH mailbox AS (
          UPDATE mailbox_readings SET next_read_at = ${sql.realNow}, failures = 0
          WHERE workspace_id = ${scope} AND email_account_id = ${id}
        ), mails AS (
          UPDATE failed_mails SET next_try_at = ${sql.realNow} WHERE workspace_id = ${scope} AND email_account_id = ${id}
        )
        SELECT ${readingError(scope, sql`${id}::bigint`)} AS last_error, ${scope}::bigint AS workspace_id`,
  );
  return row?.last_error ?? null;
}

/** The stored counts of an account, from which the stats endpoint derives the rest. */
export interface AccountCounts {
  readonly is_active: boolean;
  readonly daily_limit: number;
  readonly effective_limit_today: number;
  readonly sent_today: number;
  readonly total_sent: number;
  readonly sent_last_7_days: number;
  readonly sent_last_30_days: number;
  readonly last_used_at: Date | null;
}

/** Returns the counts of an account, or undefined if it does not exist. Today is one of the 7 and of the 30 days. */
export async function findCounts(scope: WorkspaceScope, id: number): Promise<AccountCounts | undefined> {
  return scope.queryOne<AccountCounts>(
    sql`SELECT record.is_active, record.daily_limit, record.last_used_at, ${sentToday(scope)} AS sent_today,
          ${effectiveLimitOf('record', today(scope))} AS effective_limit_today,
          coalesce(sum(day.sent), 0) AS total_sent,
          coalesce(sum(day.sent) FILTER (WHERE day.day > ${today(scope)} - 7), 0) AS sent_last_7_days,
          coalesce(sum(day.sent) FILTER (WHERE day.day > ${today(scope)} - 30), 0) AS sent_last_30_days
        FROM email_accounts record
        LEFT JOIN email_account_days day ON day.workspace_id = ${scope} AND day.email_account_id = record.id
        WHERE record.workspace_id = ${scope} AND record.id = ${id}
        GROUP BY record.workspace_id, record.id`,
  );
}

export type StoredMailbox = EncryptedAccount &
  Pick<EmailAccount, 'is_active' | 'from_email' | 'from_name' | 'min_seconds_between'> & {
    /** A digest of what it logs in with to send. */
    readonly login_digest: string;
  };

/** The columns of the account `account` in which providers store inputs. */
const stored = (inputs: (provider: MailProvider) => Iterable<string>): Sql[] =>
  Object.values(PROVIDERS).flatMap((provider) =>
    inputColumnsOf(provider, inputs(provider)).map((column) => sql.ref(`account.${column}`)),
  );

const loginTexts = stored(({ login }) => login).map((column) => sql`quote_nullable(${column}::text)`);
const loginDigest = sql`md5(${sql.join(loginTexts, ` || ',' || `)})`;
const providerColumns = sql.join(stored(inputsOf));

export async function findStored(scope: WorkspaceScope, id: number): Promise<StoredMailbox | undefined> {
  return scope.queryOne<StoredMailbox>(
    sql`SELECT account.id, account.type, account.is_active, account.from_email, account.from_name, account.min_seconds_between,
          ${providerColumns}, account.dkim_domain, account.dkim_selector,
          account.dkim_private_key_encrypted, oauth_grant.address AS oauth_address, ${loginDigest} AS login_digest
        FROM email_accounts account
        LEFT JOIN oauth_grants oauth_grant
          ON oauth_grant.workspace_id = ${scope} AND oauth_grant.email_account_id = account.id
        WHERE account.workspace_id = ${scope} AND account.id = ${id}`,
  );
}

/** Takes a lock until the transaction ends, so that changes of a workspace's default flag run one after the other. */
export async function lockDefault(scope: WorkspaceScope): Promise<void> {
  await scope.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('email_accounts.is_default', ${scope}))`);
}

/** If no account is the default, makes the oldest active one the default, or else the oldest; never `excludedId`. */
export async function ensureDefault(scope: WorkspaceScope, excludedId: number | null = null): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET is_default = TRUE, updated_at = ${scope.now}
        WHERE workspace_id = ${scope}
          AND NOT EXISTS (SELECT 1 FROM email_accounts WHERE workspace_id = ${scope} AND is_default)
          AND id = (SELECT id FROM email_accounts
                    WHERE workspace_id = ${scope} AND id IS DISTINCT FROM ${excludedId}::bigint
                    ORDER BY is_active DESC, created_at, id LIMIT 1)`,
  );
}

export async function hasDefault(scope: WorkspaceScope): Promise<boolean> {
  const [found] = await scope.query<{ id: number }>(
    sql`SELECT id FROM email_accounts WHERE workspace_id = ${scope} AND is_default`,
  );
  return found !== undefined;
}

export async function clearDefault(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET is_default = FALSE, updated_at = ${scope.now} WHERE workspace_id = ${scope} AND is_default`,
  );
}

export async function isOnlyAccount(scope: WorkspaceScope, id: number): Promise<boolean> {
  const others = await scope.query(
    sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${scope} AND id <> ${id} LIMIT 1`,
  );
  return others.length === 0;
}

/** Locks an account until the transaction ends. @returns false if it does not exist */
export async function lockAccount(scope: WorkspaceScope, id: number): Promise<boolean> {
  const rows = await scope.query(
    sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${scope} AND id = ${id} FOR UPDATE`,
  );
  return rows.length > 0;
}

/**
 * Makes an account inactive.
 * @param login if given, only while it logs in with that: a {@link StoredMailbox.login_digest}
 * @returns whether it was active before
 */
export async function deactivate(
  scope: WorkspaceScope,
  id: number,
  reason: DisabledReason,
  login?: string,
): Promise<boolean> {
  const isSame = login === undefined ? sql`TRUE` : sql`${loginDigest} = ${login}`;
  const changed = await scope.execute(
    sql`UPDATE email_accounts account SET is_active = FALSE, disabled_reason = ${reason}, disabled_at = ${scope.now},
          updated_at = ${scope.now}
        WHERE account.workspace_id = ${scope} AND account.id = ${id} AND account.is_active AND ${isSame}`,
  );
  return changed === 1;
}
