import { drawnVariant, earliestInstant, type Schedule } from '../campaigns/index.js';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { cancelQueued, CANCELLED_BY_MOVE, planAgain, STEP_DELETED, TEMPORARY_FAILURE } from './results/index.js';
import { contactRules } from './timing/index.js';

/**
 * Postpones the queued messages of paused campaigns, except answers to replies, what waits for its contact, and what waits
 * for its next attempt: its time stays. The preflight check stops those that are claimed already or come due.
 */
export async function pauseQueued(scope: WorkspaceScope, campaigns: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE queued_messages SET reason = 'paused', next_attempt_at = 'infinity', updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND campaign_id IN (${campaigns}) AND reply_id IS NULL
          AND status = 'queued' AND lease_until IS NULL AND NOT waits_for_contact
          AND NOT (reason IS NOT DISTINCT FROM ${TEMPORARY_FAILURE} AND next_attempt_at > ${scope.now})`,
  );
}

/** An account that has due messages now. */
export interface DueAccount {
  readonly email_account_id: number;
  /** How many of its messages were made due. */
  readonly messages: number;
}

/**
 * Makes messages due that wait for one of these reasons.
 * @param which a condition on `message`
 * @returns their accounts
 */
export async function makeDue(scope: WorkspaceScope, which: Sql, reasons: readonly string[]): Promise<DueAccount[]> {
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

/**
 * Computes anew until when messages wait for a schedule, once for each campaign and time zone of contacts.
 * @param which a condition on `message`
 * @returns the accounts that have due messages now
 */
export async function rescheduleClosed(scope: WorkspaceScope, which: Sql): Promise<{ email_account_id: number }[]> {
  const closed = sql`message.workspace_id = ${scope} AND message.status = 'queued' AND message.lease_until IS NULL
    AND message.reason = 'outside_schedule' AND (${which})`;
  const zones = await scope.query<ZonedCampaign & Record<string, unknown>>(
    sql`SELECT zone.campaign_id, zone.timezone, campaign.schedule, ${scope.now} AS now FROM (
          SELECT DISTINCT message.campaign_id, contact.timezone FROM queued_messages message
          JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id WHERE ${closed}) zone
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = zone.campaign_id`,
  );
  if (zones.length === 0) return [];
  const slots = zones.map(({ schedule, timezone, now }) => {
    const rules = contactRules(
      { status: 'active', schedule, min_days_since_last_message: null },
      { absence: null, timezone },
    );
    return earliestInstant(now, rules);
  });
  return scope.query(
    sql`WITH slot AS (
          SELECT * FROM unnest(
            ${zones.map((zone) => zone.campaign_id)}::bigint[], ${zones.map((zone) => zone.timezone)}::text[],
            ${slots.map(({ reason }) => reason)}::text[], ${slots.map(({ at }) => at)}::timestamptz[])
            AS slot (campaign_id, timezone, reason, opens_at)
        ), changed AS (
          UPDATE queued_messages message SET reason = slot.reason, updated_at = ${scope.now},
            next_attempt_at = CASE WHEN slot.reason IS NULL THEN ${scope.now} ELSE coalesce(slot.opens_at, 'infinity') END
          FROM slot, contacts contact
          WHERE ${closed} AND contact.workspace_id = ${scope} AND contact.id = message.contact_id
            AND slot.campaign_id = message.campaign_id AND slot.timezone IS NOT DISTINCT FROM contact.timezone
          RETURNING message.email_account_id, message.reason
        )
        SELECT DISTINCT email_account_id FROM changed WHERE reason IS NULL AND email_account_id IS NOT NULL`,
  );
}

interface ZonedCampaign {
  readonly campaign_id: number;
  readonly schedule: Schedule | null;
  /** Of contacts; null if they have none. */
  readonly timezone: string | null;
  readonly now: Date;
}

/**
 * Removes an account that is about to be deleted from all messages. What is queued for it is planned again, from
 * another account, with the same Message-ID.
 */
export async function detachAccount(scope: WorkspaceScope, accountId: number): Promise<void> {
  await planAgain(scope, sql`message.email_account_id = ${accountId}`);
  const detached = await detach(scope, sql`email_account_id`, accountId);
  // Those that a transaction has returned to the queue after the first statement. Without an account, nothing would find them.
  await planAgain(scope, sql`message.id = ANY(${detached}::bigint[])`);
}

/** Removes a step that is about to be deleted from all messages, and cancels those that are queued. */
export async function detachStep(scope: WorkspaceScope, stepId: number): Promise<void> {
  await cancelQueued(scope, sql`message.step_id = ${stepId}`, STEP_DELETED);
  await detach(scope, sql`step_id`, stepId);
}

/**
 * First in the queue: a message whose result is recorded meanwhile is in `messages` for the second statement.
 * @returns the messages of the queue
 */
async function detach(scope: WorkspaceScope, column: Sql, id: number): Promise<number[]> {
  const isOf = sql`workspace_id = ${scope} AND ${column} = ${id}`;
  const queued = await scope.query<{ id: number }>(
    sql`UPDATE queued_messages SET ${column} = NULL WHERE ${isOf} RETURNING id`,
  );
  await scope.execute(sql`UPDATE messages SET ${column} = NULL WHERE ${isOf}`);
  return queued.map((message) => message.id);
}

/**
 * Cancels what is queued for enrollments that were moved to a step. What was cancelled by a move, now or before, and what was
 * cancelled of that step does not keep its step from being planned again, unless a server may have accepted it.
 */
export async function cancelForMove(scope: WorkspaceScope, enrollments: Sql, stepId: number): Promise<void> {
  const which = sql`message.enrollment_id IN (${enrollments}) AND message.reply_id IS NULL`;
  await cancelQueued(scope, which, CANCELLED_BY_MOVE);
  // The next message of the step has the same Message-ID.
  await scope.execute(
    sql`UPDATE messages message SET reason = ${CANCELLED_BY_MOVE}, message_id = NULL, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND ${which} AND (message.reason = ${CANCELLED_BY_MOVE} OR message.step_id = ${stepId})
          AND message.status = 'cancelled' AND message.sent_at IS NULL AND message.uncertain_attempts = 0`,
  );
}

/**
 * Draws a variant for the queued messages of a step whose own was removed, or that have none and were not tried yet. If the
 * step has no variants any more, they get the text of the step.
 */
export async function drawAgain(scope: WorkspaceScope, stepId: number): Promise<void> {
  const drawn = drawnVariant(scope, sql`message.enrollment_id`, sql`message.step_id`);
  await scope.execute(
    sql`UPDATE queued_messages message SET variant_id = ${drawn}, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.step_id = ${stepId} AND message.status = 'queued'
          AND message.lease_until IS NULL AND (message.variant_id IS NOT NULL OR message.attempts = 0)
          AND NOT EXISTS (
            SELECT 1 FROM step_variants variant
            WHERE variant.workspace_id = ${scope} AND variant.step_id = ${stepId} AND variant.id = message.variant_id)
          AND message.variant_id IS DISTINCT FROM ${drawn}`,
  );
}
