import type { ProviderLimit } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Wait } from './campaign-wait.js';

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
          limited_until = ${scope.now} + make_interval(secs => waiting.seconds * (1 + ${RANDOM_PART}::float8 * random()))
        FROM (
          SELECT account.id, CASE
            WHEN account.limited_until > ${scope.now} - make_interval(secs => account.limited_seconds)
              THEN least(greatest(2 * account.limited_seconds, ${first}), ${MAX_SECONDS})
            ELSE ${first} END AS seconds
          FROM email_accounts account WHERE account.workspace_id = ${scope} AND (${which}) FOR NO KEY UPDATE
        ) waiting
        WHERE account.workspace_id = ${scope} AND account.id = waiting.id
          AND (coalesce(account.limited_until <= ${scope.now}, TRUE) OR account.limited_seconds < ${first})`,
  );
}

/**
 * How long a message waits that was refused because its account has reached a limit. Without its account, which was deleted
 * meanwhile, it is due now.
 */
export const PROVIDER_LIMIT: Wait = {
  reason: 'provider_limit',
  refundsAttempt: true,
  until: (
    scope,
  ) => sql`coalesce((SELECT greatest(account.limited_until, ${scope.now}) + make_interval(secs => ${REFUSED_AFTER_SECONDS})
    FROM email_accounts account WHERE account.workspace_id = ${scope} AND account.id = message.email_account_id), ${scope.now})`,
};
