import { today } from '../email-accounts/index.js';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * Cancels queued messages, claimed ones too: their workers find them gone at the last look. What was reserved of the
 * accounts' day for claimed ones is given back.
 * @param which conditions on `message`
 */
export async function cancelQueued(scope: WorkspaceScope, which: Sql, reason: string): Promise<void> {
  await scope.execute(
    sql`WITH queued AS (
          SELECT message.id, message.email_account_id, message.lease_until IS NOT NULL AS reserved
          FROM messages message
          WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND (${which})
          ORDER BY message.id FOR UPDATE
        ), cancelled AS (
          UPDATE messages message SET status = 'cancelled', reason = ${reason}, leased_by = NULL, lease_until = NULL,
            updated_at = now()
          FROM queued WHERE message.workspace_id = ${scope} AND message.id = queued.id
        )
        UPDATE email_accounts account SET sent_count = greatest(account.sent_count - back.messages, 0)
        FROM (SELECT email_account_id, count(*)::int AS messages FROM queued WHERE reserved GROUP BY 1) back
        WHERE account.workspace_id = ${scope} AND account.id = back.email_account_id AND account.counted_on = ${today}`,
  );
}

/** Lets the queued messages of paused campaigns wait. Claimed ones are stopped by the last look before hand-over. */
export async function pauseQueued(scope: WorkspaceScope, campaigns: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE messages SET reason = 'paused', next_attempt_at = 'infinity', updated_at = now()
        WHERE workspace_id = ${scope} AND campaign_id IN (${campaigns}) AND status = 'queued' AND lease_until IS NULL`,
  );
}

/** Lets messages go that wait for one of these reasons. @returns the accounts that have work again */
export async function release(
  scope: WorkspaceScope,
  which: Sql,
  reasons: readonly string[],
): Promise<{ email_account_id: number }[]> {
  return scope.query(
    sql`WITH released AS (
          UPDATE messages message SET reason = NULL, next_attempt_at = now(), updated_at = now()
          WHERE message.workspace_id = ${scope} AND message.status = 'queued' AND message.lease_until IS NULL
            AND message.reason = ANY(${[...reasons]}::text[]) AND (${which})
          RETURNING message.email_account_id
        )
        SELECT DISTINCT email_account_id FROM released WHERE email_account_id IS NOT NULL`,
  );
}

/**
 * Takes an account that is about to be deleted out of all messages. What still waits for it is planned anew, from
 * another account, under the same Message-ID.
 */
export async function detachAccount(scope: WorkspaceScope, accountId: number): Promise<void> {
  await scope.execute(
    sql`WITH waiting AS (
          DELETE FROM messages WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND status = 'queued'
          RETURNING enrollment_id
        )
        UPDATE enrollments SET next_due_at = now(), email_account_id = NULL
        WHERE workspace_id = ${scope} AND id IN (SELECT enrollment_id FROM waiting)
          AND status IN ('pending', 'in_progress')`,
  );
  await scope.execute(
    sql`UPDATE messages SET email_account_id = NULL
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}`,
  );
}

/** Takes a step that is about to be deleted out of the messages that went out with it. */
export async function detachStep(scope: WorkspaceScope, stepId: number): Promise<void> {
  await cancelQueued(scope, sql`message.step_id = ${stepId}`, 'step_deleted');
  await scope.execute(sql`UPDATE messages SET step_id = NULL WHERE workspace_id = ${scope} AND step_id = ${stepId}`);
}
