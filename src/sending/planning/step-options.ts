import type { StepCondition } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** What planning evaluates of a step that has more than its text. */
export interface StepOptions {
  readonly id: number;
  readonly only_if: StepCondition | null;
  /** Whether it has required variables. */
  readonly requires: boolean;
}

/** SQL expression: the {@link StepOptions} of the steps of `campaign` that have some; null if none has. */
export const stepOptionsOf = (scope: WorkspaceScope): Sql => sql`(
  SELECT jsonb_agg(jsonb_build_object(
    'id', step.id, 'only_if', step.only_if, 'requires', cardinality(step.required_variables) > 0))
  FROM campaign_steps step
  WHERE step.workspace_id = ${scope} AND step.campaign_id = campaign.id
    AND (step.only_if IS NOT NULL OR cardinality(step.required_variables) > 0))`;
