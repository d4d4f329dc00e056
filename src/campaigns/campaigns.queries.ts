import { NotFound } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { Campaign } from './campaign/campaign.entity.js';
import { pauseCampaigns } from './campaign/campaign-status.queries.js';
import { campaignComputedColumns, type CampaignComputedColumns } from './campaign.view.js';

export const campaignRecords = (scope: WorkspaceScope) =>
  scope.of(Campaign).withColumns<CampaignComputedColumns>(campaignComputedColumns(scope));

/**
 * Replaces the email accounts of a campaign, in this order. An account that is named twice counts once. A campaign that
 * needs an account still needs one after it was updated with an empty list, which is what its clients have read.
 */
export async function replaceAccounts(
  scope: WorkspaceScope,
  campaignId: number,
  accountIds: readonly number[],
): Promise<void> {
  // This comes first because its row lock serializes concurrent calls.
  await scope.execute(
    sql`UPDATE campaigns SET updated_at = ${scope.now}, needs_account = needs_account AND ${accountIds.length === 0}
        WHERE workspace_id = ${scope} AND id = ${campaignId}`,
  );
  await scope.execute(sql`DELETE FROM campaign_accounts WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}`);
  await scope.execute(
    sql`INSERT INTO campaign_accounts (workspace_id, campaign_id, email_account_id, position)
        SELECT ${scope}, ${campaignId}, input.id, input.position - 1
        FROM unnest(${[...new Set(accountIds)]}::bigint[]) WITH ORDINALITY AS input (id, position)`,
  );
}

/** Returns whether an account of the campaign is active, or the default account if the campaign never had its own. */
export async function hasUsableAccount(scope: WorkspaceScope, campaignId: number): Promise<boolean> {
  const own = sql`SELECT own.email_account_id FROM campaign_accounts own
    WHERE own.workspace_id = ${scope} AND own.campaign_id = ${campaignId}`;
  const rows = await scope.query(
    sql`SELECT 1 FROM email_accounts account
        WHERE account.workspace_id = ${scope} AND account.is_active
          AND CASE WHEN EXISTS (${own}) THEN account.id IN (${own}) ELSE account.is_default AND NOT EXISTS (
            SELECT 1 FROM campaigns campaign
            WHERE campaign.workspace_id = ${scope} AND campaign.id = ${campaignId} AND campaign.needs_account) END
        LIMIT 1`,
  );
  return rows.length === 1;
}

/**
 * Removes an email account from all campaigns. Those that have no other account need one before they start; active ones
 * among them are paused.
 * @returns the campaigns that were paused
 */
export async function removeAccount(scope: WorkspaceScope, accountId: number): Promise<number[]> {
  const used = sql`SELECT own.campaign_id FROM campaign_accounts own
    WHERE own.workspace_id = ${scope} AND own.email_account_id = ${accountId}`;
  // The locks make the next statements see what concurrent updates and starts of these campaigns have done.
  const locked = await scope.query<{ id: number }>(
    sql`SELECT campaign.id FROM campaigns campaign
        WHERE campaign.workspace_id = ${scope} AND ${sql.among(sql`campaign.id`, used)}
        ORDER BY campaign.id FOR NO KEY UPDATE`,
  );
  const removed = await scope.query<{ campaign_id: number }>(
    sql`DELETE FROM campaign_accounts WHERE workspace_id = ${scope} AND email_account_id = ${accountId}
          AND campaign_id = ANY(${locked.map(({ id }) => id)}::bigint[]) RETURNING campaign_id`,
  );
  const without = await scope.query<{ id: number }>(
    sql`UPDATE campaigns campaign SET needs_account = TRUE, updated_at = ${scope.now}
        WHERE campaign.workspace_id = ${scope} AND campaign.id = ANY(${removed.map(({ campaign_id: id }) => id)}::bigint[])
          AND NOT EXISTS (SELECT 1 FROM campaign_accounts own
            WHERE own.workspace_id = ${scope} AND own.campaign_id = campaign.id)
        RETURNING campaign.id`,
  );
  const ids = without.map(({ id }) => id);
  return pauseCampaigns(scope, ids, ['active'], 'account_deleted');
}

export async function lockCampaignLimits(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<Pick<Campaign, 'id' | 'max_new_contacts_per_day'> | undefined> {
  return scope.queryOne<Pick<Campaign, 'id' | 'max_new_contacts_per_day'>>(
    sql`SELECT id, max_new_contacts_per_day FROM campaigns
        WHERE workspace_id = ${scope} AND id = ${campaignId} FOR NO KEY UPDATE`,
  );
}

/** Lets planning look for new contacts of a campaign now. @throws NotFound */
export async function planNewContactsNow(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<Pick<Campaign, 'status' | 'max_new_contacts_per_day'>> {
  const [campaign] = await scope.query<Pick<Campaign, 'status' | 'max_new_contacts_per_day'>>(
    sql`UPDATE campaigns SET new_contacts_from = NULL WHERE workspace_id = ${scope} AND id = ${campaignId}
        RETURNING status, max_new_contacts_per_day`,
  );
  if (!campaign) throw new NotFound('Campaign');
  return campaign;
}
