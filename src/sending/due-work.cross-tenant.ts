import { ANY_ACCOUNT } from '../campaigns/index.js';
import { type Sql, sql, type WorkspacesInTime } from '../platform/database/index.js';
import { workspaceRotation } from '../platform/queue/index.js';
import { hasDueMessage, isLeasedByOther } from './account-leases.queries.js';
import { isBlocked } from './rules/index.js';

/** The workspace of `campaign`. If only one is read, its ID is better: an engine of several nodes looks for it in sub-selects. */
const OWNER = sql`campaign.workspace_id`;

/** SQL: some steps of `campaign` are due, of those that a condition on the row `due` selects. */
export const isDueOf = (now: Sql, sender: Sql, owner = OWNER): Sql => sql`EXISTS (
        SELECT 1 FROM due_steps due
        WHERE due.workspace_id = ${owner} AND due.campaign_id = campaign.id
          AND ${sender} AND due.due_at <= ${now})`;

/** SQL: some steps of `campaign` are due that any of its accounts sends. */
export const isDueOfAny = (now: Sql, owner = OWNER): Sql => {
  const [ofAny, ofNew] = [sql`due.email_account_id = ${ANY_ACCOUNT}`, sql`due.email_account_id IS NULL`];
  return sql`(${isDueOf(now, ofAny, owner)}
              OR coalesce(campaign.new_contacts_from <= ${now}, TRUE) AND ${isDueOf(now, ofNew, owner)})`;
};

/**
 * Selects active campaigns with an enrollment whose next step is due, without new contacts if their limit is reached; the
 * workspaces take turns. It probes an index once per campaign and account, so its cost does not depend on how many rows wait.
 */
export function dueCampaigns(workspaces: WorkspacesInTime): Sql {
  return sql`SELECT campaign.workspace_id, campaign.id FROM campaigns campaign
        WHERE ${isCampaignDue(workspaces)} ${workspaceRotation(sql`campaign.workspace_id`)}`;
}

/**
 * SQL: `campaign` is one of {@link dueCampaigns}. While all accounts that could send its step are in their gaps and have messages
 * that wait, it is not planned: its message could not be sent, and the campaign of a slow account may have very many of them.
 */
export function isCampaignDue(workspaces: WorkspacesInTime, owner = OWNER): Sql {
  const now = workspaces.now(sql`campaign.workspace_id`);
  const ready = sql`account.workspace_id = ${owner} AND NOT (${isBlocked(now)} AND EXISTS (
    SELECT 1 FROM queued_messages message
    WHERE message.workspace_id = ${owner} AND message.email_account_id = account.id
      AND message.next_attempt_at <= ${now}))`;
  const own = sql`campaign_accounts own WHERE own.workspace_id = ${owner} AND own.campaign_id = campaign.id`;
  return sql`campaign.status = 'active'${workspaces.within(sql`campaign.workspace_id`)} AND (
          ${isDueOfAny(now, owner)}
          AND CASE
            WHEN EXISTS (SELECT 1 FROM ${own}) THEN EXISTS (
              SELECT 1 FROM email_accounts account WHERE ${ready} AND account.id IN (SELECT own.email_account_id FROM ${own}))
            ELSE EXISTS (SELECT 1 FROM email_accounts account WHERE ${ready} AND account.is_default) END
          OR EXISTS (
            SELECT 1 FROM email_accounts account
            WHERE ${ready} AND ${isDueOf(now, sql`due.email_account_id = account.id`, owner)}))`;
}

/** Selects email accounts with a message that is due, except those that another worker has leased, in turns. */
export function dueAccounts(workspaces: WorkspacesInTime): Sql {
  return sql`${accountsWithDueMessages(workspaces)} AND NOT ${isLeasedByOther} ${workspaceRotation(sql`account.workspace_id`)}`;
}

/** Selects email accounts with a message that is due, leased or not. */
export function accountsWithDueMessages(workspaces: WorkspacesInTime): Sql {
  const workspace = sql`account.workspace_id`;
  return sql`SELECT account.workspace_id, account.id FROM email_accounts account
        WHERE ${hasDueMessage(workspace, workspaces.now(workspace))}${workspaces.within(workspace)}`;
}
