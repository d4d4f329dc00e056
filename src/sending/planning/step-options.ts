import type { StepCondition } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** What planning evaluates of a step that has more than its text. */
export interface StepOptions {
  readonly id: number;
  readonly only_if: StepCondition | null;
  readonly requires: boolean;
  readonly varies: boolean;
}

/** SQL expression: the {@link StepOptions} of the steps of `campaign` that have some; null if none has. */
export const stepOptionsOf = (scope: WorkspaceScope): Sql => sql`(
  SELECT jsonb_agg(jsonb_build_object('id', option.id, 'only_if', option.only_if, 'requires', option.requires,
    'varies', option.varies))
  FROM (
    SELECT step.id, step.only_if, cardinality(step.required_variables) > 0 AS requires, EXISTS (
      SELECT 1 FROM step_variants variant WHERE variant.workspace_id = ${scope} AND variant.step_id = step.id) AS varies
    FROM campaign_steps step WHERE step.workspace_id = ${scope} AND step.campaign_id = campaign.id) option
  WHERE option.only_if IS NOT NULL OR option.requires OR option.varies)`;
