import type { Schedule } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** An account that has due messages now. */
export interface DueAccount {
  readonly email_account_id: number;
}

/** An account, and how many of its messages were made due. */
export interface ReleasedAccount extends DueAccount {
  readonly messages: number;
}

/**
 * Makes messages due that wait for one of these reasons.
 * @param which a condition on `message`
 * @returns their accounts
 */
export async function makeDue(
  scope: WorkspaceScope,
  which: Sql,
  reasons: readonly string[],
): Promise<ReleasedAccount[]> {
  return scope.query(
    sql`WITH due AS (
          UPDATE queued_messages message SET reason = NULL, next_attempt_at = ${scope.now}, updated_at = ${scope.now}
          WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND message.lease_until IS NULL
            AND message.reason = ANY(${[...reasons]}::text[]) AND (${which})
          RETURNING message.email_account_id
        )
        SELECT email_account_id, count(*)::int AS messages FROM due WHERE email_account_id IS NOT NULL GROUP BY 1`,
  );
}

/** A queued message, which its contact may postpone. */
export interface PostponableMessage {
  readonly id: number;
  readonly schedule: Schedule | null;
}

/** Locks and returns the messages of campaigns that wait for contacts. The preflight check stops those that are claimed. */
export function lockPostponable(tx: WorkspaceScope, contacts: Sql): Promise<PostponableMessage[]> {
  return tx.query<PostponableMessage>(
    sql`SELECT message.id, campaign.schedule FROM enrollments enrollment
        JOIN queued_messages message ON message.workspace_id = ${tx} AND message.enrollment_id = enrollment.id
        JOIN campaigns campaign ON campaign.workspace_id = ${tx} AND campaign.id = message.campaign_id
        WHERE enrollment.workspace_id = ${tx} AND ${sql.among(sql`enrollment.contact_id`, contacts)} AND message.reply_id IS NULL
          AND message.status = 'queued' AND message.lease_until IS NULL
        ORDER BY message.id FOR UPDATE OF message`,
  );
}

/**
 * Postpones queued messages until given times, unless they wait longer for another reason. Those that waited for this reason
 * are due when the time is over.
 * @returns the accounts that have due messages now
 */
export function postponeUntil(
  tx: WorkspaceScope,
  reason: string,
  messages: readonly { readonly id: number; readonly until: Date }[],
): Promise<DueAccount[]> {
  if (messages.length === 0) return Promise.resolve([]);
  return tx.query(
    sql`WITH changed AS (
          UPDATE queued_messages message SET updated_at = ${tx.now}, next_attempt_at = greatest(wait.until, ${tx.now}),
            reason = CASE WHEN wait.until > ${tx.now} THEN ${reason} END
          FROM unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ until }) => until)}::timestamptz[])
            AS wait (id, until)
          WHERE message.workspace_id = ${tx} AND message.id = wait.id
            AND (message.reason = ${reason} OR (wait.until > ${tx.now} AND message.next_attempt_at < wait.until))
          RETURNING CASE WHEN wait.until <= ${tx.now} THEN message.email_account_id END AS email_account_id
        )
        SELECT DISTINCT email_account_id FROM changed WHERE email_account_id IS NOT NULL`,
  );
}
