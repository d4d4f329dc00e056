import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Step } from './step.entity.js';

/** SQL condition: the row `enrollment` has not ended, so that more messages may be sent for it. */
export const isRunning: Sql = sql`enrollment.status IN ('pending', 'in_progress')`;

/** SQL expression: a number of minutes as an interval. */
export const minutes = (count: unknown): Sql => sql`make_interval(mins => ${count}::int)`;

/** SELECT of `id` and `delay_minutes` of the first step of a campaign. */
export const firstStepOf = (scope: WorkspaceScope, campaignId: number): Sql =>
  sql`SELECT id, delay_minutes FROM campaign_steps
      WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} ORDER BY position LIMIT 1`;

/**
 * Assigns the first step to contacts that were enrolled while the campaign had no steps. It is due after its delay,
 * counted from now.
 * @param limit the maximum number of enrollments; all if null
 * @returns the number of updated enrollments
 */
export function assignFirstStep(
  scope: WorkspaceScope,
  campaignId: number,
  limit: number | null = null,
): Promise<number> {
  return scope.execute(
    sql`WITH first AS (${firstStepOf(scope, campaignId)}), waiting AS (
          SELECT enrollment.id FROM enrollments enrollment
          WHERE enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}
            AND enrollment.current_step_id IS NULL AND ${isRunning}
          LIMIT ${limit} FOR UPDATE
        )
        UPDATE enrollments enrollment
        SET current_step_id = first.id, next_due_at = now() + ${minutes(sql`first.delay_minutes`)}, updated_at = now()
        FROM first, waiting WHERE enrollment.workspace_id = ${scope} AND enrollment.id = waiting.id`,
  );
}

/** Moves the due time of all enrollments that wait for a step; a negative number of minutes makes it earlier. */
export async function shiftDueTimes(scope: WorkspaceScope, stepId: number, byMinutes: number): Promise<void> {
  await scope.execute(
    sql`UPDATE enrollments SET next_due_at = next_due_at + ${minutes(byMinutes)}
        WHERE workspace_id = ${scope} AND current_step_id = ${stepId} AND next_due_at IS NOT NULL`,
  );
}

/**
 * Moves all enrollments away from a step that is about to be deleted. An enrollment that waits for it waits for the next
 * step instead, counted from the same instant; one whose message is being sent waits from now. If it was the last step,
 * its enrollments are completed. If it was the only step, enrollments without a sent message stay pending and start with
 * the next step that is created.
 */
export async function moveEnrollmentsOffStep(
  scope: WorkspaceScope,
  step: Step,
  { next, isOnly }: { readonly next: Step | undefined; readonly isOnly: boolean },
): Promise<void> {
  const target = sql`workspace_id = ${scope} AND current_step_id = ${step.id}`;
  if (next) {
    await scope.execute(
      sql`UPDATE enrollments enrollment SET current_step_id = ${next.id}, updated_at = now(), next_due_at = CASE
            WHEN NOT ${isRunning} THEN NULL
            WHEN next_due_at IS NULL THEN now() + ${minutes(next.delay_minutes)}
            ELSE next_due_at + ${minutes(next.delay_minutes - step.delay_minutes)} END
          WHERE ${target}`,
    );
    return;
  }
  const ends = isOnly ? sql`status = 'in_progress'` : isRunning;
  await scope.execute(
    sql`UPDATE enrollments enrollment SET current_step_id = NULL, next_due_at = NULL, updated_at = now(),
          status = CASE WHEN ${ends} THEN 'completed' ELSE status END,
          completed_at = CASE WHEN ${ends} THEN now() ELSE completed_at END
        WHERE ${target}`,
  );
}
