import { mayReachMinimum, SENT_MESSAGES } from '../../campaigns/index.js';
import { today } from '../../email-accounts/index.js';
import { addCounts, type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { endLimits, isRefundable, refund } from '../rules/index.js';

/** A message that counts in the daily limit of its account on one day (UTC). */
export interface CountedMessage {
  readonly email_account_id: number | null;
  /** `YYYY-MM-DD` */
  readonly reserved_on: string | null;
}

export interface CountedSend extends CountedMessage {
  /** Absent for a test. */
  readonly id?: number;
  /** Absent for a test, which counts for its account alone. */
  readonly campaign_id?: number;
  /** Null for the message of a step. */
  readonly reply_id?: number | null;
}

/**
 * Adds sent messages to the statistics of their accounts, on the days on which they count in the daily limits, and those of
 * steps to the counters of their campaigns. The servers of the accounts have accepted messages: limits that they had reached
 * are over.
 * @returns the campaigns that may be over a rate at which they pause themselves
 */
export async function countSent(scope: WorkspaceScope, messages: readonly CountedSend[]): Promise<number[]> {
  const campaigns = messages.map((message) => (message.reply_id === null ? (message.campaign_id ?? null) : null));
  const added = sql`SELECT ${scope}, ${SENT_MESSAGES}, id, count(*) FROM unnest(${campaigns}::bigint[]) AS campaign (id)
    WHERE id IS NOT NULL GROUP BY id ORDER BY id`;
  const rows = await scope.inParts<{ campaign_id: number }>(
    [
      { name: 'counted', statement: countByDay(scope, messages) },
      { name: 'unlimited', statement: endLimits(scope, accountsOf(messages)) },
      { name: 'added', statement: addCounts(added) },
    ],
    sql`SELECT rates.campaign_id FROM campaign_rates rates
        WHERE rates.workspace_id = ${scope} AND rates.campaign_id = ANY(${campaigns}::bigint[])
          AND ${mayReachMinimum}`.prepared(),
  );
  return rows.map((row) => row.campaign_id);
}

const countByDay = (scope: WorkspaceScope, messages: readonly CountedSend[]): Sql => sql`
          INSERT INTO email_account_days AS day (workspace_id, email_account_id, day, sent, last_message_id)
          SELECT account.workspace_id, account.id, coalesce(sent.day, ${today(scope)}), count(*),
            (array_agg(sent.message_id ORDER BY sent.position DESC) FILTER (WHERE sent.message_id IS NOT NULL))[1]
          FROM unnest(${accountsOf(messages)}::bigint[], ${daysOf(messages)}::date[],
            ${messages.map(({ id }) => id ?? null)}::bigint[]) WITH ORDINALITY AS sent (id, day, message_id, position)
          JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = sent.id
          GROUP BY 1, 2, 3 ORDER BY 2, 3
          ON CONFLICT (workspace_id, email_account_id, day) DO UPDATE
            SET sent = day.sent + excluded.sent, last_message_id = coalesce(excluded.last_message_id, day.last_message_id)`;

/**
 * Returns what claims have reserved of their accounts for messages that were certainly not sent.
 */
export async function refundQuota(scope: WorkspaceScope, messages: readonly CountedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await scope.execute(
    sql`UPDATE email_accounts account SET ${refund(sql`refund.messages`)}
        FROM (SELECT id, day, count(*)::int AS messages FROM ${rowsOf(messages)} AS unsent (id, day) GROUP BY 1, 2) refund
        WHERE account.workspace_id = ${scope} AND account.id = refund.id AND ${isRefundable(sql`refund.day`)}`,
  );
}

/**
 * Like {@link refundQuota}, for a message that a server has refused and that was deleted while it was sent.
 * @returns whether it was deleted
 */
export async function refundRemoved(
  scope: WorkspaceScope,
  message: CountedMessage & { readonly id: number },
): Promise<boolean> {
  const [row] = await scope.query<{ is_removed: boolean }>(
    sql`SELECT NOT EXISTS (
          SELECT 1 FROM all_messages WHERE workspace_id = ${scope} AND id = ${message.id}) AS is_removed`,
  );
  if (row?.is_removed) await refundQuota(scope, [message]);
  return row?.is_removed ?? false;
}

const accountsOf = (messages: readonly CountedMessage[]) => messages.map(({ email_account_id: id }) => id);
const daysOf = (messages: readonly CountedMessage[]) => messages.map(({ reserved_on: day }) => day);
const rowsOf = (messages: readonly CountedMessage[]) =>
  sql`unnest(${accountsOf(messages)}::bigint[], ${daysOf(messages)}::date[])`;
