import type { ProviderLimit } from '../../../email-accounts/index.js';
import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { TEMPORARY_FAILURE } from '../temporary-failure/temporary-failure.rule.js';
import type { Wait } from '../wait.js';

/**
 * Seconds for which an account waits at first. The providers lift limits per minute within minutes; Gmail lifts its daily
 * one "within 1 to 24 hours" (https://support.google.com/a/answer/166852), so that one attempt an hour finds out.
 */
const FIRST_SECONDS: Readonly<Record<ProviderLimit, number>> = { rate: 120, day: 3_600 };
/** An account that reaches a limit again soon after a wait waits twice as long, but at most for this time. */
const MAX_SECONDS = 3_600;
/** Up to so much more at random, so that the accounts of one provider do not come back together. */
const RANDOM_PART = 0.5;
/** Seconds by which the refused message itself comes later than the others, in case that it is the reason. */
const REFUSED_AFTER_SECONDS = 60;

/** The account of a message waits. Connections that reach the limit at the same time lengthen the wait once. */
export const limitAccountOf = (scope: WorkspaceScope, messageId: number, limit: ProviderLimit): Promise<void> =>
  limitWhere(
    scope,
    sql`account.id = (SELECT message.email_account_id FROM queued_messages message
                      WHERE message.workspace_id = ${scope} AND message.id = ${messageId})`,
    limit,
  );

/** Like {@link limitAccountOf}, by the account. */
export const limitAccount = (scope: WorkspaceScope, accountId: number, limit: ProviderLimit): Promise<void> =>
  limitWhere(scope, sql`account.id = ${accountId}`, limit);

async function limitWhere(scope: WorkspaceScope, which: Sql, limit: ProviderLimit): Promise<void> {
  const first = FIRST_SECONDS[limit];
  await scope.execute(
    sql`UPDATE email_accounts account SET limited_seconds = waiting.seconds,
          limited_until = ${sql.later(
            scope.now,
            sql`make_interval(secs => waiting.seconds * (1 + ${RANDOM_PART}::float8 * ${sql.random}))`,
          )}
        FROM (
          SELECT account.id, CASE
            WHEN ${sql.later(sql`account.limited_until`, sql`make_interval(secs => account.limited_seconds)`)} > ${scope.now}
              THEN least(greatest(2 * account.limited_seconds, ${first}), ${MAX_SECONDS})
            ELSE ${first} END AS seconds
          FROM email_accounts account WHERE account.workspace_id = ${scope} AND (${which}) FOR NO KEY UPDATE
        ) waiting
        WHERE account.workspace_id = ${scope} AND account.id = waiting.id
          AND (coalesce(account.limited_until <= ${scope.now}, TRUE) OR account.limited_seconds < ${first})`,
  );
}

/** So many messages of an account that its server defers one after the other are a limit, and not by chance. */
export const LIMIT_AFTER_DEFERRED = 4;

/**
 * Notes that the server has deferred a message, which may be a limit of the account. Locks the row of the account until the
 * transaction ends.
 * @returns the messages that were deferred one after the other, if they are a limit: then the account waits. Otherwise undefined
 */
export async function noteDeferred(scope: WorkspaceScope, messageId: number): Promise<readonly number[] | undefined> {
  const [account] = await scope.query<{ id: number; deferred: number[]; is_limited: boolean }>(
    sql`UPDATE email_accounts account SET deferred_messages = array_append(
          array_remove(account.deferred_messages, ${messageId}::bigint), ${messageId}::bigint)
        FROM queued_messages message
        WHERE account.workspace_id = ${scope} AND account.id = message.email_account_id
          AND message.workspace_id = ${scope} AND message.id = ${messageId}
        RETURNING account.id, account.deferred_messages AS deferred,
          coalesce(account.limited_until > ${scope.now}, FALSE) AS is_limited`,
  );
  if (!account || (!account.is_limited && account.deferred.length < LIMIT_AFTER_DEFERRED)) return undefined;
  await limitAccount(scope, account.id, 'rate');
  await scope.execute(
    sql`UPDATE email_accounts SET deferred_messages = '{}' WHERE workspace_id = ${scope} AND id = ${account.id}`,
  );
  return account.deferred;
}

/**
 * A part of the statement that counts sent messages: their servers have accepted them after the wait for a limit, so the next
 * wait is as short as the first one, and refusals before that do not count. Writes nothing for other accounts.
 */
export const endLimits = (scope: WorkspaceScope, accounts: readonly (number | null)[]): Sql =>
  sql`UPDATE email_accounts account SET deferred_messages = '{}', refused_messages = '{}',
        limited_seconds = CASE WHEN account.limited_until <= ${scope.now} THEN 0 ELSE account.limited_seconds END
      WHERE account.workspace_id = ${scope} AND account.id = ANY(${[...accounts]}::bigint[])
        AND (cardinality(account.deferred_messages) > 0 OR cardinality(account.refused_messages) > 0
          OR account.limited_seconds > 0 AND account.limited_until <= ${scope.now})`;

/**
 * Messages that were deferred before it was known that their account has reached a limit wait for its end like the last one, and
 * their attempts do not count. What another worker has claimed since stays as it is.
 */
export async function waitForLimit(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`WITH deferred AS (
          SELECT id FROM queued_messages
          WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) AND status = 'queued' AND lease_until IS NULL
            AND reason = ${TEMPORARY_FAILURE}
          ORDER BY id FOR UPDATE SKIP LOCKED
        )
        UPDATE queued_messages message SET reason = ${PROVIDER_LIMIT.reason}, next_attempt_at = ${PROVIDER_LIMIT.until(scope)},
          attempts = greatest(message.attempts - 1, 0), updated_at = ${scope.now}
        FROM deferred WHERE message.workspace_id = ${scope} AND message.id = deferred.id`,
  );
}

/**
 * How long a message waits that was refused because its account has reached a limit. Without its account, which was deleted
 * meanwhile, it is due now.
 */
export const PROVIDER_LIMIT: Wait = {
  reason: 'provider_limit',
  refundsAttempt: true,
  until: (scope) => sql`coalesce((
    SELECT ${sql.later(sql`greatest(account.limited_until, ${scope.now})`, sql`make_interval(secs => ${REFUSED_AFTER_SECONDS})`)}
    FROM email_accounts account WHERE account.workspace_id = ${scope} AND account.id = message.email_account_id), ${scope.now})`,
};
