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

/** Where a mail without a Message-ID of ours comes from, and in which mailboxes it was received. */
interface UnthreadedMail {
  readonly from: string;
  /** The account whose mailbox was read, if that is known. */
  readonly email_account_id?: number | undefined;
  /** Else the addresses to which the mail was sent, in lower case. */
  readonly recipients: readonly string[];
}

/** Returns a message with its addresses, or undefined if it was deleted. @param from the sender of the mail */
export function findAnswered(
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

/** Returns those of some addresses, in lower case, that contacts have. */
export async function contactsAmong(scope: WorkspaceScope, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await scope.query<{ email: string }>(
    sql`SELECT email FROM contacts WHERE workspace_id = ${scope} AND email = ANY(${[...new Set(addresses)]}::text[])`,
  );
  return new Set(rows.map(({ email }) => email));
}

/** How long after a message a mail of its recipient counts as a reply to it, without a Message-ID. */
const MAX_REPLY_DAYS = 30;

/**
 * Finds the latest message to the sender's address, of the last 30 days. Only the mailbox of the account that sent it
 * counts: what people write to others is no reply to it.
 */
export async function findAnsweredByAddress(
  scope: WorkspaceScope,
  mail: UnthreadedMail,
): Promise<AnsweredMessage | undefined> {
  const latest = await scope.queryOne<AnsweredMessage>(latestTo(scope, mail.from));
  if (!latest) return undefined;
  const isItsMailbox =
    mail.email_account_id === undefined
      ? latest.account_email !== null && mail.recipients.includes(latest.account_email)
      : mail.email_account_id === latest.email_account_id;
  return isItsMailbox ? latest : undefined;
}

/**
 * SELECT of the latest message to the contact with an address. It reads the enrollments of one contact, and their messages,
 * each by an index.
 */
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
