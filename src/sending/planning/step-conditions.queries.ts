import type { StepCondition } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

export interface DueStepOf {
  readonly enrollment_id: number;
  readonly step_id: number;
}

/**
 * Returns the enrollments for which the condition of their due step does not hold. What counts are the opens and clicks of
 * people, of all messages that the enrollment has got of other steps.
 */
export async function findUnmet(
  scope: WorkspaceScope,
  due: readonly (DueStepOf & { readonly only_if: StepCondition })[],
): Promise<ReadonlySet<number>> {
  if (due.length === 0) return new Set();
  const rows = await scope.query<{ enrollment_id: number }>(
    sql`SELECT due.enrollment_id FROM unnest(
          ${due.map((each) => each.enrollment_id)}::bigint[], ${due.map((each) => each.step_id)}::bigint[],
          ${due.map((each) => each.only_if)}::text[]) AS due (enrollment_id, step_id, only_if)
        CROSS JOIN LATERAL (
          SELECT coalesce(bool_or(earlier.opened_at IS NOT NULL), FALSE) AS opened,
            coalesce(bool_or(earlier.clicked_at IS NOT NULL), FALSE) AS clicked
          FROM all_messages earlier
          WHERE earlier.workspace_id = ${scope} AND earlier.enrollment_id = due.enrollment_id
            AND earlier.reply_id IS NULL AND earlier.step_id IS DISTINCT FROM due.step_id) engagement
        WHERE NOT CASE due.only_if
          WHEN 'opened' THEN engagement.opened WHEN 'not_opened' THEN NOT engagement.opened
          WHEN 'clicked' THEN engagement.clicked ELSE NOT engagement.clicked END`,
  );
  return new Set(rows.map((row) => row.enrollment_id));
}
