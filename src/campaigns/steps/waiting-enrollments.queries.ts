import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ANY_ACCOUNT } from './any-account.js';
import type { Step } from './step.entity.js';

/** SQL condition: the row `enrollment` has not ended, so that more messages may be sent for it. */
export const isRunning: Sql = sql`enrollment.status IN ('pending', 'in_progress')`;

/** SQL expression: the `email_account_id` of the due step of the row `enrollment`, in the status that it gets. */
export const dueAccount = (enrollment: Sql): Sql =>
  sql`CASE WHEN ${enrollment}.email_account_id IS NULL AND ${enrollment}.status = 'in_progress' THEN ${ANY_ACCOUNT}
      ELSE ${enrollment}.email_account_id END`;

/** SQL expression: a number of minutes as an interval. */
export const minutes = (count: unknown): Sql => sql`make_interval(mins => ${count}::int)`;

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
        ), assigned AS (
          UPDATE enrollments enrollment SET current_step_id = first.id, updated_at = ${scope.now}
          FROM first, waiting WHERE enrollment.workspace_id = ${scope} AND enrollment.id = waiting.id
          RETURNING enrollment.id, ${dueAccount(sql`enrollment`)} AS email_account_id
        )
        INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, due_at)
        SELECT ${scope}, assigned.id, ${campaignId}, assigned.email_account_id,
          ${scope.now} + ${minutes(sql`first.delay_minutes`)}
        FROM first, assigned ON CONFLICT (workspace_id, enrollment_id) DO UPDATE SET due_at = excluded.due_at`,
  );
}

/** Moves the due time of all enrollments that wait for a step; a negative number of minutes makes it earlier. */
export async function shiftDueTimes(scope: WorkspaceScope, stepId: number, byMinutes: number): Promise<void> {
  await scope.execute(
    sql`UPDATE due_steps due SET due_at = ${sql.later(sql`due.due_at`, minutes(byMinutes))}
        FROM enrollments enrollment
        WHERE due.workspace_id = ${scope} AND due.enrollment_id = enrollment.id
          AND enrollment.workspace_id = ${scope} AND enrollment.current_step_id = ${stepId}`,
  );
}

export interface DeletedMessage {
  readonly enrollment_id: number;
  /** The variant of the step that was drawn for it. */
  readonly variant_id: number | null;
}

/**
 * Makes steps due that wait for the windows of their contacts: planning computes the time anew.
 * @param which a condition on `due` and `enrollment`
 */
export async function duePostponedSteps(scope: WorkspaceScope, which: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE due_steps due SET due_at = ${scope.now}, postponed_until = NULL FROM enrollments enrollment
        WHERE due.workspace_id = ${scope} AND due.due_at = due.postponed_until AND due.due_at > ${scope.now}
          AND enrollment.workspace_id = ${scope} AND enrollment.id = due.enrollment_id AND (${which})`,
  );
}

/**
 * Makes the current steps of running enrollments due now, without an account: the next message chooses another one. The
 * variants stay.
 */
export async function planStepsAgain(scope: WorkspaceScope, deleted: readonly DeletedMessage[]): Promise<void> {
  if (deleted.length === 0) return;
  const ids = sql`${deleted.map((message) => message.enrollment_id)}::bigint[]`;
  const these = sql`enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${ids})`;
  await scope.execute(
    sql`UPDATE enrollments enrollment SET email_account_id = NULL
        WHERE ${these} AND ${isRunning} AND enrollment.email_account_id IS NOT NULL`,
  );
  await scope.execute(
    sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, due_at, variant_id)
        SELECT ${scope}, enrollment.id, enrollment.campaign_id, ${dueAccount(sql`enrollment`)}, ${scope.now}, deleted.variant_id
        FROM unnest(${ids}, ${deleted.map((message) => message.variant_id)}::bigint[]) AS deleted (enrollment_id, variant_id)
        JOIN enrollments enrollment ON enrollment.id = deleted.enrollment_id
        WHERE ${these} AND ${isRunning} AND enrollment.current_step_id IS NOT NULL
        ON CONFLICT (workspace_id, enrollment_id) DO UPDATE
          SET due_at = excluded.due_at, email_account_id = excluded.email_account_id, variant_id = excluded.variant_id`,
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
  { next, isOnly }: { readonly next: Pick<Step, 'id' | 'delay_minutes'> | undefined; readonly isOnly: boolean },
): Promise<void> {
  const target = sql`workspace_id = ${scope} AND current_step_id = ${step.id}`;
  if (next) {
    // Not a parameter, which several nodes cannot read there.
    const [before, after] = [step, next].map(({ delay_minutes: delay }) => minutes(sql.integer(delay)));
    await scope.execute(
      sql`WITH moved AS (
            UPDATE enrollments enrollment SET current_step_id = ${next.id}, updated_at = ${scope.now} WHERE ${target}
            RETURNING id, ${dueAccount(sql`enrollment`)} AS email_account_id, ${isRunning} AS is_running
          )
          INSERT INTO due_steps AS due (workspace_id, enrollment_id, campaign_id, email_account_id, due_at)
          SELECT ${scope}, moved.id, ${step.campaign_id}, moved.email_account_id, ${scope.now} + ${minutes(next.delay_minutes)}
          FROM moved WHERE moved.is_running
          ON CONFLICT (workspace_id, enrollment_id)
            DO UPDATE SET due_at = ${sql.later(sql`due.due_at`, sql`(${after} - ${before})`)}`,
    );
    return;
  }
  const ends = isOnly ? sql`status = 'in_progress'` : isRunning;
  await scope.execute(
    sql`WITH moved AS (
          UPDATE enrollments enrollment SET current_step_id = NULL, updated_at = ${scope.now},
            status = CASE WHEN ${ends} THEN 'completed' ELSE status END,
            completed_at = CASE WHEN ${ends} THEN ${scope.now} ELSE completed_at END
          WHERE ${target} RETURNING id
        )
        DELETE FROM due_steps due USING moved WHERE due.workspace_id = ${scope} AND due.enrollment_id = moved.id`,
  );
}
