import type { ReactionKind, ReportedMail } from '@outreach/simulated-recipients';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** For how long a worker may take for a reaction. If it dies, another one repeats the reaction after that. */
const LEASE_SECONDS = 30;
/** After how many failed attempts a reaction is given up. */
export const MAX_REACTION_ATTEMPTS = 5;

const MAX_PAUSE_SECONDS = 60;

export interface LeasedReaction extends ReportedMail {
  readonly id: number;
  readonly kind: ReactionKind;
  readonly attempts: number;
  readonly html: string;
  /** The type of the account if its provider reports by events. */
  readonly event_provider: string | null;
}

/** The condition that the row `reaction` can be processed by a worker, by the time of its workspace. */
export const isReactionDue = (now: Sql): Sql =>
  sql`reaction.due_at <= ${now} AND reaction.next_attempt_at <= ${sql.realNow}`;

/**
 * Leases the next due reaction. Those of one message are processed one after the other. A CTE selects it, because a
 * sub-select inside a join may run more than once, and each run would lease another one.
 */
export async function leaseReaction(scope: WorkspaceScope): Promise<LeasedReaction | undefined> {
  return scope.queryOne<LeasedReaction>(
    sql`WITH next AS MATERIALIZED (
          SELECT reaction.id FROM sandbox_reactions reaction
          WHERE reaction.workspace_id = ${scope} AND ${isReactionDue(scope.now)} AND NOT EXISTS (
            SELECT 1 FROM sandbox_reactions earlier
            WHERE earlier.workspace_id = ${scope} AND earlier.sandbox_message_id = reaction.sandbox_message_id
              AND earlier.id < reaction.id)
          ORDER BY reaction.due_at, reaction.id LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        UPDATE sandbox_reactions leased
        SET attempts = leased.attempts + 1, next_attempt_at = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
        FROM next, sandbox_messages message
        WHERE leased.workspace_id = ${scope} AND leased.id = next.id
          AND message.workspace_id = ${scope} AND message.id = leased.sandbox_message_id
        RETURNING leased.id, leased.kind, leased.attempts, message.from_address, message.to_address, message.subject,
          message.message_id, message.html, message.text, message.raw, message.event_provider`,
  );
}

/** Deletes a reaction that was processed. @returns false if that was done before */
export async function deleteReaction(scope: WorkspaceScope, { id, attempts }: LeasedReaction): Promise<boolean> {
  const deleted = await scope.execute(
    sql`DELETE FROM sandbox_reactions WHERE workspace_id = ${scope} AND id = ${id} AND attempts = ${attempts}`,
  );
  return deleted > 0;
}

/** The reaction is repeated after a pause, which doubles each time. */
export async function postponeReaction(scope: WorkspaceScope, { id, attempts }: LeasedReaction): Promise<void> {
  await scope.execute(
    sql`UPDATE sandbox_reactions
        SET next_attempt_at = ${sql.realNow} + make_interval(secs => ${Math.min(2 ** attempts, MAX_PAUSE_SECONDS)})
        WHERE workspace_id = ${scope} AND id = ${id} AND attempts = ${attempts}`,
  );
}
