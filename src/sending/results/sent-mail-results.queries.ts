import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { endQueued, type EndedMessage } from './move.queries.js';
import { CHECKING_SENT_MAIL, MAX_UNCERTAIN_ATTEMPTS, NOT_IN_SENT_MAIL } from './send-decision.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/** Counts an uncertain attempt of messages that are not in the sent mail, and queues those that have one attempt left. */
export function requeueMissing(scope: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE queued_messages message SET status = 'queued', reason = NULL, lease_until = NULL, next_attempt_at = ${scope.now},
          uncertain_attempts = message.uncertain_attempts + 1, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status = 'sending' AND message.reason = ${CHECKING_SENT_MAIL}
          AND message.uncertain_attempts + 1 < ${MAX_UNCERTAIN_ATTEMPTS}
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/** Holds the others as `unknown`: the second copy of a message that is in no sent mail is the last one. */
export async function holdMissing(scope: WorkspaceScope, ids: readonly number[]): Promise<EndedMessage[]> {
  const isMissing = sql`message.id = ANY(${[...ids]}::bigint[]) AND message.status = 'sending'
    AND message.reason = ${CHECKING_SENT_MAIL}`;
  await scope.execute(
    sql`UPDATE queued_messages message SET uncertain_attempts = message.uncertain_attempts + 1
        WHERE message.workspace_id = ${scope} AND (${isMissing})`,
  );
  return endQueued(scope, isMissing, { status: 'unknown', reason: sql`${NOT_IN_SENT_MAIL}` });
}
