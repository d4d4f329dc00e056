import { cachedCount, deleteCounts, type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SENT_MESSAGES } from './campaign-rates.entity.js';

/** From how many sent messages on a rate is compared. */
const MIN_SENT_FOR_BOUNCES = 50;
const MIN_SENT_FOR_COMPLAINTS = 300;

/** What a report says of messages that were sent. */
export type ReturnKind = 'bounced' | 'complained';

/** The counts of a campaign begin anew. */
export async function resetRates(scope: WorkspaceScope, campaignId: number): Promise<void> {
  await scope.execute(
    sql`INSERT INTO campaign_rates AS rates (workspace_id, campaign_id, counted_from, sent_before)
        SELECT ${scope}, ${campaignId}, ${scope.now}, ${cachedCount(scope, SENT_MESSAGES, sql`${campaignId}`)}
        ON CONFLICT (workspace_id, campaign_id) DO UPDATE SET counted_from = excluded.counted_from,
          sent_before = excluded.sent_before, refused = 0, bounced = 0, complained = 0, compared_at_sent = 0`,
  );
}

/** Removes the counter of a campaign that is deleted in the same transaction. */
export async function deleteCounter(scope: WorkspaceScope, campaignId: number): Promise<void> {
  await scope.execute(deleteCounts(scope, sql`counted = ${SENT_MESSAGES} AND owner_id = ${campaignId}`));
}

/** Locks campaigns as their pause does, so that what follows reads the counts that other transactions have committed. */
export async function lockForRates(scope: WorkspaceScope, campaigns: Sql): Promise<void> {
  await scope.query(
    sql`SELECT 1 FROM campaigns WHERE workspace_id = ${scope} AND ${sql.among(sql`id`, campaigns)} ORDER BY id FOR NO KEY UPDATE`,
  );
}

/**
 * Adds messages that have bounced or that were complained about to the counts of their campaigns, unless they were sent
 * before the last start.
 * @returns the campaigns whose counts have changed
 */
export async function addReturned(scope: WorkspaceScope, messages: Sql, kind: ReturnKind): Promise<number[]> {
  const column = sql.ref(kind);
  const refused = kind === 'bounced' ? sql`count(*) FILTER (WHERE message.is_refused)` : sql`0`;
  const rows = await scope.query<{ campaign_id: number }>(
    sql`UPDATE campaign_rates rates
        SET ${column} = rates.${column} + returned.total, refused = rates.refused + returned.refused
        FROM (
          SELECT message.campaign_id, count(*) AS total, ${refused} AS refused FROM (${messages}) message
          JOIN campaign_rates started ON started.workspace_id = ${scope} AND started.campaign_id = message.campaign_id
          WHERE message.returned_at >= started.counted_from
          GROUP BY message.campaign_id
        ) returned
        WHERE rates.workspace_id = ${scope} AND rates.campaign_id = returned.campaign_id
        RETURNING rates.campaign_id`,
  );
  return rows.map((row) => row.campaign_id);
}

/** Takes messages that a server had refused, before they are queued again, from the counts of their campaigns. */
export async function subtractRefused(scope: WorkspaceScope, messages: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE campaign_rates rates SET bounced = greatest(rates.bounced - refused.total, 0),
          refused = greatest(rates.refused - refused.total, 0)
        FROM (
          SELECT message.campaign_id, count(*) AS total FROM (${messages}) message
          JOIN campaign_rates started ON started.workspace_id = ${scope} AND started.campaign_id = message.campaign_id
          WHERE message.is_refused AND message.returned_at >= started.counted_from
          GROUP BY message.campaign_id
        ) refused
        WHERE rates.workspace_id = ${scope} AND rates.campaign_id = refused.campaign_id`,
  );
}

/**
 * Pauses those of the campaigns that are active and over one of their rates. Call it under {@link lockForRates}.
 * @returns the campaigns that were paused
 */
export async function pauseOverRate(scope: WorkspaceScope, campaignIds: readonly number[]): Promise<number[]> {
  const isOver = (count: Sql, rate: Sql, minSent: number): Sql =>
    sql`(compared.sent >= ${minSent} AND ${count} > ${rate}::numeric * compared.sent)`;
  const bounces = isOver(sql`compared.bounced`, sql`campaign.stop_at_bounce_rate`, MIN_SENT_FOR_BOUNCES);
  const complaints = isOver(sql`compared.complained`, sql`campaign.stop_at_complaint_rate`, MIN_SENT_FOR_COMPLAINTS);
  return scope.queryIds(
    sql`WITH compared AS (
          UPDATE campaign_rates rates SET compared_at_sent =
            ${cachedCount(scope, SENT_MESSAGES, sql`rates.campaign_id`)} - rates.sent_before + rates.refused
          WHERE rates.workspace_id = ${scope} AND rates.campaign_id = ANY(${[...campaignIds]}::bigint[])
          RETURNING rates.campaign_id, rates.bounced, rates.complained, rates.compared_at_sent AS sent
        )
        UPDATE campaigns campaign SET status = 'paused', paused_at = ${scope.now}, updated_at = ${scope.now},
          pause_reason = CASE WHEN ${bounces} THEN 'bounce_rate' ELSE 'complaint_rate' END
        FROM compared
        WHERE campaign.workspace_id = ${scope} AND campaign.id = compared.campaign_id AND campaign.status = 'active'
          AND (${bounces} OR ${complaints})
        RETURNING campaign.id`,
  );
}

/**
 * SQL condition: a message that is sent may be the one from which on a rate of `rates` is compared, and a rate may be over.
 * It holds for few messages of a campaign: later only a bounce or a complaint can exceed a rate.
 */
export const mayReachMinimum: Sql = sql`(rates.bounced > 0 AND rates.compared_at_sent < ${MIN_SENT_FOR_BOUNCES}
  OR rates.complained > 0 AND rates.compared_at_sent < ${MIN_SENT_FOR_COMPLAINTS})`;
