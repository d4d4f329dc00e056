import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** A message with the addresses of its recipient and its sender. */
export interface AnsweredMessage {
  readonly id: number;
  /** Null once the account is deleted. */
  readonly email_account_id: number | null;
  readonly contact_email: string;
  /** The address of the account in lower case; null once the account is deleted. */
  readonly account_email: string | null;
  /** The mail in question comes from an address of the workspace's own accounts. */
  readonly is_from_account: boolean;
}

/** Returns a message with its addresses, or undefined if it does not exist. @param from the sender of the mail */
export async function findAnswered(
  scope: WorkspaceScope,
  id: number,
  from: string | null,
): Promise<AnsweredMessage | undefined> {
  return scope.queryOne<AnsweredMessage>(
    sql`SELECT ${columns(scope, from)} FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        LEFT JOIN email_accounts account
          ON account.workspace_id = ${scope} AND account.id = message.email_account_id
        WHERE message.workspace_id = ${scope} AND message.id = ${id}`,
  );
}

export async function findContactsAmong(scope: WorkspaceScope, addresses: readonly string[]): Promise<string[]> {
  const rows = await scope.query<{ email: string }>(
    sql`SELECT email FROM contacts WHERE workspace_id = ${scope} AND email = ANY(${[...new Set(addresses)]}::text[])`,
  );
  return rows.map(({ email }) => email);
}

/** How long after a message a mail of its recipient counts as a reply to it, without a Message-ID. */
const MAX_REPLY_DAYS = 30;

/**
 * Returns the latest message to the contact with an address, if it was sent in the last 30 days. It reads the enrollments
 * of one contact, and their messages, each by an index.
 */
export async function findLatestTo(scope: WorkspaceScope, from: string): Promise<AnsweredMessage | undefined> {
  const [message] = await scope.query<AnsweredMessage>(latestTo(scope, from));
  return message;
}

/** SELECT of the latest message to the contact with an address. */
export const latestTo = (scope: WorkspaceScope, from: string): Sql =>
  sql`SELECT ${columns(scope, from)} FROM contacts contact
        JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.contact_id = contact.id
        JOIN messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
        LEFT JOIN email_accounts account
          ON account.workspace_id = ${scope} AND account.id = message.email_account_id
        WHERE contact.workspace_id = ${scope} AND contact.email = lower(${from}::text)
          AND message.sent_at > ${scope.now} - make_interval(days => ${MAX_REPLY_DAYS})
        ORDER BY message.sent_at DESC, message.id DESC LIMIT 1`;

const columns = (scope: WorkspaceScope, from: string | null): Sql =>
  sql`message.id, message.email_account_id, contact.email AS contact_email, lower(account.from_email) AS account_email,
    EXISTS (SELECT 1 FROM email_accounts own WHERE own.workspace_id = ${scope}
              AND lower(own.from_email) = lower(${from}::text)) AS is_from_account`;
