import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { endQueued, type EndedMessage } from './move.queries.js';
import { CHECKING_SENT_MAIL } from '../rules/index.js';
import { MAX_UNCERTAIN_ATTEMPTS, MAY_BE_ACCEPTED, NOT_IN_SENT_MAIL } from './send-decision.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/**
 * Counts an uncertain attempt of messages that are not in the sent mail, and queues those that have one attempt left, unless
 * their account was deleted during the search.
 */
export function requeueMissing(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE queued_messages message SET status = 'queued', reason = NULL, lease_until = NULL, next_attempt_at = ${scope.now},
          uncertain_attempts = message.uncertain_attempts + 1, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status = 'sending' AND message.reason = ${CHECKING_SENT_MAIL}
          AND message.uncertain_attempts + 1 < ${MAX_UNCERTAIN_ATTEMPTS} AND message.email_account_id IS NOT NULL
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/**
 * Holds the others as `unknown`: the second copy of a message that is in no sent mail is the last one, and another account
 * would not show that its message may be the second one.
 */
export async function holdMissing(scope: WorkspaceScope, ids: readonly number[]): Promise<EndedMessage[]> {
  const isMissing = sql`message.id = ANY(${[...ids]}::bigint[]) AND message.status = 'sending'
    AND message.reason = ${CHECKING_SENT_MAIL}`;
  await scope.execute(
    sql`UPDATE queued_messages message SET uncertain_attempts = message.uncertain_attempts + 1
        WHERE message.workspace_id = ${scope} AND (${isMissing})`,
  );
  const reason = sql`CASE WHEN message.uncertain_attempts < ${MAX_UNCERTAIN_ATTEMPTS}
    THEN ${MAY_BE_ACCEPTED} ELSE ${NOT_IN_SENT_MAIL} END`;
  return endQueued(scope, isMissing, { status: 'unknown', reason });
}
