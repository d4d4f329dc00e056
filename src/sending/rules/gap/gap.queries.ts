import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { CHECKING_SENT_MAIL } from '../checking-sent-mail/checking-sent-mail.rule.js';
import { type Gap, isInGap } from './gap.js';

/** A message that a server accepts was claimed before at most this time: it may take ten minutes for its reply. */
const MAX_SENDING_MINUTES = 15;

/** The gap of a locked account, to the microsecond. */
export interface GapState {
  readonly is_in_gap: boolean;
  /** The gap was switched on after the last claim. */
  readonly is_gap_unknown: boolean;
}

/** SELECT expressions of {@link GapState} on the row `account`. */
export const gapState = (scope: WorkspaceScope): Sql =>
  sql`${isInGap('account', scope.now)} AS is_in_gap, account.gap_begins_at IS NULL AS is_gap_unknown`;

/**
 * Returns whether an account may send its next message: without a gap at any time. The account must be locked. Nothing is
 * written while it waits, so waiting costs the same for any number of messages. A message on its way has a lease until its
 * result is recorded, or until recovery has begun the gap after it; one that is being looked for in the sent mail has had its
 * gap.
 */
export async function mayBeginAfterGap(
  tx: WorkspaceScope,
  account: Gap & Partial<GapState> & { readonly id: number },
): Promise<boolean> {
  const { id, min_seconds_between: seconds, is_in_gap: isWaiting, is_gap_unknown: isUnknown } = account;
  if (seconds === 0) return true;
  if (isWaiting || (await isSending(tx, id))) return false;
  return !isUnknown || beginFirstGap(tx, id);
}

/**
 * Returns whether a message of a locked account is on its way. A separate statement, so that its snapshot includes what the
 * lock waited for. Reads the list of claims, like the recovery.
 */
export async function isSending(scope: WorkspaceScope, accountId: number): Promise<boolean> {
  const rows = await scope.query(
    sql`SELECT 1 FROM message_claims claim CROSS JOIN unnest(claim.message_ids) AS listed (id)
        JOIN queued_messages message ON message.workspace_id = ${scope} AND message.id = listed.id
        WHERE claim.workspace_id = ${scope} AND message.email_account_id = ${accountId}
          AND message.lease_until IS NOT NULL AND message.reason IS DISTINCT FROM ${CHECKING_SENT_MAIL} LIMIT 1`,
  );
  return rows.length > 0;
}

/**
 * The gap was switched on, and nothing is on its way: of the messages before that, only the claim is known. The first gap
 * begins now, or when the last of them must have been accepted.
 * @returns whether it is over already
 */
async function beginFirstGap(scope: WorkspaceScope, accountId: number): Promise<boolean> {
  const [account] = await scope.query<{ is_over: boolean }>(
    sql`UPDATE email_accounts account SET gap_random_part = 0,
          gap_begins_at = least(${scope.now},
            ${sql.later(sql`account.last_used_at`, sql`make_interval(mins => ${MAX_SENDING_MINUTES})`)})
        WHERE account.workspace_id = ${scope} AND account.id = ${accountId}
        RETURNING NOT ${isInGap('account', scope.now)} AS is_over`,
  );
  return account?.is_over ?? false;
}
