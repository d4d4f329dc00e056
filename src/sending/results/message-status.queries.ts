import type { Campaign } from '../../campaigns/index.js';
import { today } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MessageStatus } from '../message.entity.js';
import { RETRY_MINUTES } from './send-decision.js';

/** A hand-over that the mail server has accepted. */
export interface AcceptedMessage {
  readonly id: number;
}

/** A message whose state has just changed, with what the events about it need. */
export interface UpdatedMessage {
  readonly id: number;
  readonly enrollment_id: number;
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly step_id: number | null;
  readonly email_account_id: number | null;
}

/** The columns of a {@link UpdatedMessage}, of the row `message`. */
export const UPDATED_COLUMNS = sql`message.id, message.enrollment_id, message.campaign_id, message.contact_id, message.step_id,
  message.email_account_id`;

/**
 * Marks accepted messages as sent. A message whose lease ran out meanwhile and which nobody has taken up yet counts
 * too: it was accepted, whatever the clock says. A replay changes nothing.
 */
export function recordSent(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'sent', sent_at = now(), reason = NULL, leased_by = NULL, lease_until = NULL,
          updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND (message.status IN ('sending', 'unknown') OR (message.status = 'queued' AND message.lease_until IS NULL))
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Counts sent messages per account and day (UTC), for the accounts' statistics. */
export async function countSent(scope: WorkspaceScope, accountIds: readonly number[]): Promise<void> {
  await scope.execute(
    sql`INSERT INTO email_account_days AS day (workspace_id, email_account_id, day, sent)
        SELECT ${scope}, account.id, ${today}, count(*) FROM unnest(${[...accountIds]}::bigint[]) AS sent (id)
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = sent.id
        GROUP BY account.id ORDER BY account.id
        ON CONFLICT (workspace_id, email_account_id, day) DO UPDATE SET sent = day.sent + excluded.sent`,
  );
}

/** When a campaign sends. */
export type CampaignTiming = Pick<Campaign, 'status' | 'schedule'>;

/** Reads when a campaign sends, and keeps it so until the transaction ends. */
export async function lockTiming(scope: WorkspaceScope, campaignId: number): Promise<CampaignTiming | undefined> {
  const [campaign] = await scope.query<CampaignTiming>(
    sql`SELECT status, schedule FROM campaigns WHERE workspace_id = ${scope} AND id = ${campaignId} FOR SHARE`,
  );
  return campaign;
}

/** Puts messages that this worker holds back into the queue, to be tried again at `at`. */
export function requeueMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
  reason: string | null,
  at: Sql,
): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = 'queued', reason = ${reason}, next_attempt_at = ${at},
          leased_by = NULL, lease_until = NULL, updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status IN ('queued', 'sending') AND message.lease_until IS NOT NULL
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Ends messages for good. */
export function endMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
  status: Extract<MessageStatus, 'cancelled' | 'failed' | 'bounced'>,
  reason: string,
): Promise<UpdatedMessage[]> {
  const bouncedAt = status === 'bounced' ? sql`now()` : sql`message.bounced_at`;
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET status = ${status}, reason = ${reason}, bounced_at = ${bouncedAt},
          leased_by = NULL, lease_until = NULL, updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status IN ('queued', 'sending')
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Gives up the lease of a message in mid hand-over, so that the next recovery settles it. */
export async function expireLease(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE messages SET lease_until = now() WHERE workspace_id = ${scope} AND id = ${id} AND status = 'sending'`,
  );
}

/**
 * Counts a failed try for all that is due from an account, and postpones it by the retry schedule.
 * @returns those that have used up their tries
 */
export async function postponeDue(scope: WorkspaceScope, accountId: number): Promise<number[]> {
  const rows = await scope.query<{ id: number; attempts: number }>(
    sql`UPDATE messages SET attempts = attempts + 1, reason = 'temporary_failure', updated_at = now(),
          next_attempt_at = now() + make_interval(mins => coalesce((${[...RETRY_MINUTES]}::int[])[attempts + 1], 0))
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}
          AND status = 'queued' AND lease_until IS NULL AND next_attempt_at <= now()
        RETURNING id, attempts`,
  );
  return rows.filter(({ attempts }) => attempts > RETRY_MINUTES.length).map(({ id }) => id);
}
