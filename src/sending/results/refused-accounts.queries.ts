import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Wait } from '../rules/index.js';
import { queueAgain, restartFailed } from './queue-again.queries.js';

/** What is known of the refusals of an account since its server has accepted a message. */
export interface AccountRefusals {
  readonly id: number;
  /** The service has switched it off because it is refused. */
  readonly is_refused: boolean;
  /** What the latest refusals have in common; null before the first one. */
  readonly signature: string | null;
  /** The messages that were refused like this, one after the other. */
  readonly messages: readonly number[];
  /** A message was refused otherwise before these. */
  readonly has_others: boolean;
}

/** Locks the account of a queued message until the transaction ends. @returns undefined if it was deleted */
export async function lockRefusals(scope: WorkspaceScope, messageId: number): Promise<AccountRefusals | undefined> {
  const [account] = await scope.query<AccountRefusals>(
    sql`SELECT account.id, NOT account.is_active AND coalesce(account.disabled_reason = 'sender_refused', FALSE) AS is_refused,
          account.refused_signature AS signature, account.refused_messages AS messages, account.refused_otherwise AS has_others
        FROM queued_messages message
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = message.email_account_id
        WHERE message.workspace_id = ${scope} AND message.id = ${messageId}
        FOR NO KEY UPDATE OF account`,
  );
  // Arrays of bigint are not converted.
  return account && { ...account, messages: account.messages.map(Number) };
}

export async function storeRefusals(scope: WorkspaceScope, refusals: AccountRefusals): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET refused_signature = ${refusals.signature},
          refused_messages = ${[...refusals.messages]}::bigint[], refused_otherwise = ${refusals.has_others}
        WHERE workspace_id = ${scope} AND id = ${refusals.id}`,
  );
}

/** How many people messages go to, and at how many domains; and whether their account has sent a message before. */
export interface RefusedRecipients {
  readonly recipients: number;
  readonly domains: number;
  readonly has_sent: boolean;
}

export async function findRefusedRecipients(
  scope: WorkspaceScope,
  { id, messages }: AccountRefusals,
): Promise<RefusedRecipients> {
  const [found] = await scope.query<RefusedRecipients>(
    sql`SELECT count(DISTINCT contact.id)::int AS recipients,
          count(DISTINCT split_part(contact.email, '@', 2))::int AS domains,
          EXISTS (SELECT 1 FROM email_account_days day
            WHERE day.workspace_id = ${scope} AND day.email_account_id = ${id} AND day.sent > 0) AS has_sent
        FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...messages]}::bigint[])`,
  );
  if (!found) throw new Error('The statement returned no row.');
  return found;
}

/** A message that a server has refused, and its contact. */
export interface RefusedMessage {
  readonly id: number;
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly email: string;
  /** Its refusal was taken for a dead address. */
  readonly is_bounced: boolean;
}

/**
 * Returns those of the refused messages that can be sent again: they were not sent, and their enrollments have failed with
 * them, or they answer replies.
 */
export function findRestorable(scope: WorkspaceScope, ids: readonly number[]): Promise<RefusedMessage[]> {
  return scope.query<RefusedMessage>(
    sql`SELECT message.id, message.campaign_id, contact.id AS contact_id, contact.email,
          message.status = 'bounced' AS is_bounced
        FROM messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status IN ('failed', 'bounced') AND message.sent_at IS NULL AND message.email_account_id IS NOT NULL
          AND (message.reply_id IS NOT NULL
            OR enrollment.status = 'failed' AND enrollment.current_step_id = message.step_id)
        ORDER BY message.id`,
  );
}

/** Queues refused messages again; their enrollments run again. */
export async function queueRefused(scope: WorkspaceScope, ids: readonly number[], wait: Wait): Promise<void> {
  const which = sql`DELETE FROM messages message
    WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) RETURNING message.*`;
  await scope.inParts([...queueAgain(scope, which, wait), restartFailed(scope)], sql`SELECT 1 FROM queued`);
}
