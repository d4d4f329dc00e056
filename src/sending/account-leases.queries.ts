import { hasSession, sessionsReadAt, WORKER } from '@outreach/job-queue';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { isBlocked } from './rules/index.js';

/** How long the lease of an account is valid after a claim. The worker releases it after seven at the latest. */
const ACCOUNT_LEASE_SECONDS = 10;

/** The worker of `account` is connected. On several nodes, one that has leased it since the sessions were read is so, too. */
const hasWorker = sql.byEngine(
  hasSession(sql`account.leased_by`),
  sql`(${hasSession(sql`account.leased_by`)}
    OR account.lease_until > ${sql.later(sessionsReadAt, sql`make_interval(secs => ${ACCOUNT_LEASE_SECONDS})`)})`,
);

/**
 * The condition that another worker has leased the row `account` and lives. The limits of an account hold without the lease,
 * under the lock of its row, so a lease is over as soon as it has expired or its worker has no session.
 */
export const isLeasedByOther: Sql = sql`coalesce(account.lease_until > ${sql.realNow} AND account.leased_by <> ${WORKER}::uuid
  AND ${hasWorker}, FALSE)`;

/** The assignments of an UPDATE of `email_accounts` that lease the account for a worker. */
export const leaseAssignments = (worker: string): Sql => sql`leased_by = ${worker},
  lease_until = ${sql.realNow} + make_interval(secs => ${ACCOUNT_LEASE_SECONDS})`;

/**
 * The condition that the row `account` is not in its gap, and has a queued message whose next attempt is due.
 * @param workspace the ID of its workspace
 * @param now the time of its workspace
 */
export const hasDueMessage = (workspace: Sql, now: Sql): Sql => sql`NOT ${isBlocked(now)} AND EXISTS (
  SELECT 1 FROM queued_messages message
  WHERE message.workspace_id = ${workspace} AND message.email_account_id = account.id
    AND message.status = 'queued' AND message.lease_until IS NULL AND message.next_attempt_at <= ${now})`;

/** Ends the lease of a worker. @returns whether a message of the account is due */
export async function releaseAccount(scope: WorkspaceScope, accountId: number, worker: string): Promise<boolean> {
  const [released] = await scope.query<{ more: boolean }>(
    sql`UPDATE email_accounts account SET leased_by = NULL, lease_until = NULL
        WHERE account.workspace_id = ${scope} AND account.id = ${accountId} AND account.leased_by = ${worker}
        RETURNING ${hasDueMessage(sql`${scope}`, scope.now)} AS more`.prepared(),
  );
  return released?.more ?? false;
}
