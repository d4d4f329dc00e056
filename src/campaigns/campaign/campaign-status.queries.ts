import { type Sql, sql, type SqlValue } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CampaignStatus, PauseReason } from './campaign.entity.js';

/**
 * All transitions of the status of campaigns ([ADR 86](../../../docs/adr/0086-a-completed-campaign-has-no-work.md)), except the
 * pause at a rate, which belongs to the statement that compares the rates:
 *
 * | From | To | When |
 * |---|---|---|
 * | draft, paused, completed | active | a request starts it |
 * | active, completed | paused | a request pauses it |
 * | active | paused | nothing can send its messages any more, or a rate is exceeded: `pause_reason` |
 * | active | completed | it has no work |
 * | completed | active | it has work again |
 * | completed | paused | it has work again, and nothing can send it: `pause_reason` |
 */

/**
 * SQL condition: an enrollment of `campaign` is running, or it enrolls others by itself. One index lookup per campaign: for many
 * campaigns, EXISTS would be hashed, which reads all enrollments.
 * @param workspace that of the campaign: a scope, so that it is known on which node its rows are, or a column
 */
export const hasWork = (workspace: SqlValue | Sql): Sql => sql`(campaign.auto_enrolls OR coalesce((
    SELECT TRUE FROM enrollments enrollment
    WHERE enrollment.workspace_id = ${workspace} AND enrollment.campaign_id = campaign.id
      AND enrollment.status IN ('pending', 'in_progress') LIMIT 1), FALSE))`;

/** SQL condition: the active campaign `campaign` has enrollments, and no work. @param workspace as of {@link hasWork} */
export const isDone = (workspace: SqlValue | Sql): Sql => sql`campaign.status = 'active' AND NOT ${hasWork(workspace)}
  AND EXISTS (
    SELECT 1 FROM enrollments enrollment
    WHERE enrollment.workspace_id = ${workspace} AND enrollment.campaign_id = campaign.id)`;

const these = (scope: WorkspaceScope, campaignIds: readonly number[]): Sql =>
  sql`campaign.workspace_id = ${scope} AND campaign.id = ANY(${[...campaignIds]}::bigint[])`;

/** Sets a campaign to active. `started_at` stays that of the first start; the dates of other states are cleared. */
export async function activateCampaign(scope: WorkspaceScope, campaignId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE campaigns SET status = 'active', started_at = coalesce(started_at, ${scope.now}), paused_at = NULL,
          pause_reason = NULL, completed_at = NULL, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND id = ${campaignId}`,
  );
}

/**
 * Sets those of the campaigns to paused that have one of these statuses.
 * @param reason null if a request pauses them
 * @returns the campaigns that were paused
 */
export async function pauseCampaigns(
  scope: WorkspaceScope,
  campaignIds: readonly number[],
  from: readonly CampaignStatus[],
  reason: PauseReason | null,
): Promise<number[]> {
  // Without FOR UPDATE, so that it does not wait for transactions that refer to the campaign, such as enrolling a list.
  return scope.queryIds(
    sql`UPDATE campaigns campaign SET status = 'paused', paused_at = ${scope.now}, pause_reason = ${reason},
          completed_at = NULL, updated_at = ${scope.now}
        WHERE ${these(scope, campaignIds)} AND campaign.status = ANY(${[...from]}::text[]) RETURNING campaign.id`,
  );
}

/**
 * Sets those of the campaigns to completed that have no work.
 * @returns the campaigns that were completed
 */
export async function completeCampaigns(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<number[]> {
  // The lock waits for transactions that are adding enrollments, so that the next statement sees these.
  await scope.query(
    sql`SELECT 1 FROM campaigns campaign WHERE ${these(scope, campaignIds)} ORDER BY campaign.id FOR UPDATE`,
  );
  return scope.queryIds(
    sql`UPDATE campaigns campaign SET status = 'completed', completed_at = ${scope.now}, updated_at = ${scope.now}
        WHERE ${these(scope, campaignIds)} AND ${isDone(scope)} RETURNING campaign.id`,
  );
}

/**
 * Prevents the completion of campaigns until the transaction ends. It is the lock that a new reference to a campaign takes, so
 * that it waits for no pause.
 */
export async function lockAgainstCompletion(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<void> {
  await scope.query(
    sql`SELECT 1 FROM campaigns campaign WHERE ${these(scope, campaignIds)} ORDER BY campaign.id FOR KEY SHARE`,
  );
}

/** The campaigns that were completed, and have work again. */
export interface ReopenedCampaigns {
  readonly active: readonly number[];
  /** Nothing can send the messages of these. */
  readonly paused: readonly number[];
}

/**
 * Sets those of the campaigns to active that are completed and have work: what counts of their rates goes on. Those without a
 * step, and those whose last account was deleted, are paused, as an active one is then. Call it under
 * {@link lockAgainstCompletion} or a stronger lock, taken before the work was added.
 */
export async function reopenCampaigns(
  scope: WorkspaceScope,
  campaignIds: readonly number[],
): Promise<ReopenedCampaigns> {
  const reason = sql`CASE WHEN NOT EXISTS (
      SELECT 1 FROM campaign_steps step WHERE step.workspace_id = ${scope} AND step.campaign_id = campaign.id) THEN 'no_step'
    WHEN campaign.needs_account THEN 'account_deleted' END`;
  const rows = await scope.query<{ id: number; status: CampaignStatus }>(
    sql`UPDATE campaigns campaign SET completed_at = NULL, updated_at = ${scope.now}, pause_reason = ${reason},
          status = CASE WHEN ${reason} IS NULL THEN 'active' ELSE 'paused' END,
          paused_at = CASE WHEN ${reason} IS NOT NULL THEN ${scope.now} END
        WHERE ${these(scope, campaignIds)} AND campaign.status = 'completed' AND ${hasWork(scope)}
        RETURNING campaign.id, campaign.status`,
  );
  const idsOf = (status: CampaignStatus) => rows.filter((row) => row.status === status).map(({ id }) => id);
  return { active: idsOf('active'), paused: idsOf('paused') };
}
