import { earliestInstant, type EarliestInstant } from '@outreach/time-windows';
import type { Campaign } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lockSendingAccount, reserve } from '../dispatch/claim.queries.js';
import {
  type AccountFacts,
  accountFacts,
  accountRules,
  boundBy,
  blockingReason,
  noteSent,
  reservedOn,
} from '../rules/index.js';
import { AccountMayNotSend, isLimit, NoUsableAccount } from './test-send.errors.js';

export interface ReservedMessage {
  readonly email_account_id: number;
  /** The day on which it counts, as `YYYY-MM-DD`. */
  readonly reserved_on: string | null;
}

/**
 * Returns the first account of the campaign that may send now, in the order of the campaign.
 * @throws NoUsableAccount, AccountMayNotSend
 */
export async function firstUsableAccount(scope: WorkspaceScope, campaign: Campaign): Promise<number> {
  const accounts = (await accountsOf(scope, campaign.id)).map((account) => ({ id: account.id, wait: waitOf(account) }));
  const usable = accounts.find(({ wait }) => wait.reason === null) ?? accounts.find(({ wait }) => isLimit(wait.reason));
  if (!usable) throw new NoUsableAccount();
  throwIfWaiting(usable.wait);
  return usable.id;
}

/**
 * Counts one message in the limits of an account, under the lock of its row.
 * @throws NoUsableAccount if it was deleted in the meantime; AccountMayNotSend
 */
export async function reserveMessage(tx: WorkspaceScope, accountId: number): Promise<ReservedMessage> {
  const account = await lockSendingAccount(tx, accountId);
  if (!account) throw new NoUsableAccount();
  throwIfWaiting(waitOf(account));
  throwIfWaiting({ at: null, reason: await blockingReason(tx, account) });
  await reserve(tx, account, 1);
  await noteSent(tx, [accountId], boundBy(account));
  return { email_account_id: accountId, reserved_on: reservedOn(account) };
}

const waitOf = (account: AccountFacts) => earliestInstant(account.read_at, accountRules(account));

function throwIfWaiting({ at, reason }: EarliestInstant): void {
  if (reason === null) return;
  throw isLimit(reason) ? new AccountMayNotSend(reason, at) : new NoUsableAccount();
}

/** The accounts of a campaign in its order, or the default account, unless the campaign has lost its own. */
function accountsOf(scope: WorkspaceScope, campaignId: number): Promise<AccountFacts[]> {
  return scope.query<AccountFacts>(
    sql`SELECT ${accountFacts(scope)} FROM email_accounts account
        LEFT JOIN campaign_accounts own ON own.workspace_id = ${scope} AND own.campaign_id = ${campaignId}
          AND own.email_account_id = account.id
        WHERE account.workspace_id = ${scope} AND (own.campaign_id IS NOT NULL OR (account.is_default
          AND NOT EXISTS (SELECT 1 FROM campaign_accounts other
            WHERE other.workspace_id = ${scope} AND other.campaign_id = ${campaignId})
          AND NOT EXISTS (SELECT 1 FROM campaigns campaign
            WHERE campaign.workspace_id = ${scope} AND campaign.id = ${campaignId} AND campaign.needs_account)))
        ORDER BY own.position, account.id`,
  );
}
