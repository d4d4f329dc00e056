import { today } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Adds sent messages to the statistics of their accounts, per day (UTC). @param accountIds one per message */
export async function countSent(scope: WorkspaceScope, accountIds: readonly number[]): Promise<void> {
  await scope.execute(
    sql`INSERT INTO email_account_days AS day (workspace_id, email_account_id, day, sent)
        SELECT ${scope}, account.id, ${today}, count(*) FROM unnest(${[...accountIds]}::bigint[]) AS sent (id)
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = sent.id
        GROUP BY account.id ORDER BY account.id
        ON CONFLICT (workspace_id, email_account_id, day) DO UPDATE SET sent = day.sent + excluded.sent`,
  );
}

/** Returns to an account's daily limit what the claim reserved today for messages that were not sent. */
export async function refundQuota(scope: WorkspaceScope, accountId: number, messages: number): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET sent_count = greatest(sent_count - ${messages}, 0)
        WHERE workspace_id = ${scope} AND id = ${accountId} AND counted_on = ${today}`,
  );
}
