import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Campaign } from './campaign/campaign.entity.js';
import { campaignComputedColumns, type CampaignComputedColumns } from './campaign.view.js';

/** Campaigns as clients see them. */
export const campaignRecords = (scope: WorkspaceScope) =>
  scope.of(Campaign).withColumns<CampaignComputedColumns>(campaignComputedColumns(scope));

/** Gives a campaign these accounts and no others, in this order. */
export async function replaceAccounts(
  scope: WorkspaceScope,
  campaignId: number,
  accountIds: readonly number[],
): Promise<void> {
  // First, because it makes two calls at once take turns.
  await scope.execute(
    sql`UPDATE campaigns SET updated_at = now() WHERE workspace_id = ${scope} AND id = ${campaignId}`,
  );
  await scope.execute(sql`DELETE FROM campaign_accounts WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}`);
  await scope.execute(
    sql`INSERT INTO campaign_accounts (workspace_id, campaign_id, email_account_id, position)
        SELECT ${scope}, ${campaignId}, input.id, input.position - 1
        FROM unnest(${[...new Set(accountIds)]}::bigint[]) WITH ORDINALITY AS input (id, position)`,
  );
}

/** Whether something can be sent from: an active account of the campaign's own, or, without any, the default one. */
export async function hasUsableAccount(scope: WorkspaceScope, campaignId: number): Promise<boolean> {
  const own = sql`SELECT own.email_account_id FROM campaign_accounts own
    WHERE own.workspace_id = ${scope} AND own.campaign_id = ${campaignId}`;
  const rows = await scope.query(
    sql`SELECT 1 FROM email_accounts account
        WHERE account.workspace_id = ${scope} AND account.is_active
          AND CASE WHEN EXISTS (${own}) THEN account.id IN (${own}) ELSE account.is_default END
        LIMIT 1`,
  );
  return rows.length === 1;
}

/** Active campaign → paused. @returns whether it was active */
export async function pauseCampaign(scope: WorkspaceScope, campaignId: number): Promise<boolean> {
  // No lock before: this waits for nobody who merely refers to the campaign, such as a running enrollment of a list.
  const changed = await scope.execute(
    sql`UPDATE campaigns SET status = 'paused', paused_at = now(), updated_at = now()
        WHERE workspace_id = ${scope} AND id = ${campaignId} AND status = 'active'`,
  );
  return changed === 1;
}

/** Any campaign → active. The first start is kept; dates of the states that it leaves are cleared. */
export async function activateCampaign(scope: WorkspaceScope, campaignId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE campaigns SET status = 'active', started_at = coalesce(started_at, now()), paused_at = NULL,
          completed_at = NULL, updated_at = now()
        WHERE workspace_id = ${scope} AND id = ${campaignId}`,
  );
}
