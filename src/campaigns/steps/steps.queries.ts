import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Template } from '../../templates/index.js';
import type { Step } from './step.entity.js';
import { type StepRecord, stepRecords } from './step-variants.queries.js';

export type StepContent = Pick<
  Step,
  'template_id' | 'subject' | 'body' | 'delay_minutes' | 'same_thread' | 'only_if' | 'required_variables'
>;

/** A step without its texts: with those of its variants they may have more than a megabyte. */
export type StepOutline = Pick<Step, 'id' | 'delay_minutes'>;

/** How many steps are read with their texts at the same time by {@link iterateStepRecords}. */
const STEPS_AT_ONCE = 4;

/** The steps of a campaign without their texts, ordered by position. */
export function stepsInOrder(scope: WorkspaceScope, campaignId: number): Promise<StepOutline[]> {
  return scope.query<StepOutline>(
    sql`SELECT id, delay_minutes FROM campaign_steps
        WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} ORDER BY position`,
  );
}

/** The steps of a campaign with their texts and variants, ordered by position. They may have many megabytes. */
export async function stepRecordsInOrder(scope: WorkspaceScope, campaignId: number): Promise<StepRecord[]> {
  const steps = await stepRecords(scope).find({ campaign_id: campaignId });
  return steps.sort((a, b) => a.position - b.position);
}

/** Yields steps with their texts and variants, a few in each statement. A step that was deleted meanwhile is missing. */
export async function* iterateStepRecords(
  scope: WorkspaceScope,
  steps: readonly Pick<Step, 'id'>[],
): AsyncGenerator<StepRecord[]> {
  const ids = steps.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += STEPS_AT_ONCE)
    yield await stepRecords(scope).findByIds(ids.slice(start, start + STEPS_AT_ONCE));
}

/** Inserts the steps of a campaign that has none yet, in this order. @returns their IDs */
export async function insertSteps(
  scope: WorkspaceScope,
  campaignId: number,
  steps: readonly StepContent[],
): Promise<number[]> {
  if (steps.length === 0) return [];
  const inserted = await scope.query<Pick<Step, 'id' | 'position'>>(
    sql`INSERT INTO campaign_steps
          (workspace_id, campaign_id, position, template_id, subject, body, delay_minutes, same_thread, only_if,
           required_variables, created_at, updated_at)
        SELECT ${scope}, ${campaignId}, step.position, step.template_id, step.subject, step.body, step.delay_minutes,
          step.same_thread, step.only_if, ARRAY(SELECT jsonb_array_elements_text(step.required_variables)), ${scope.now},
            ${scope.now}
        FROM unnest(
          ${steps.map((step) => step.template_id)}::bigint[], ${steps.map((step) => step.subject)}::text[],
          ${steps.map((step) => step.body)}::text[], ${steps.map((step) => step.delay_minutes)}::int[],
          ${steps.map((step) => step.same_thread)}::boolean[], ${steps.map((step) => step.only_if)}::text[],
          ${steps.map((step) => JSON.stringify(step.required_variables))}::jsonb[])
        WITH ORDINALITY AS step (template_id, subject, body, delay_minutes, same_thread, only_if, required_variables, position)
        RETURNING id, position`,
  );
  return inserted.sort((a, b) => a.position - b.position).map(({ id }) => id);
}

/** Sets the positions of a campaign's steps to the order of `ids`, from 1. */
export async function renumber(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await scope.execute(
    sql`UPDATE campaign_steps step SET position = ordered.position
        FROM unnest(${[...ids]}::bigint[]) WITH ORDINALITY AS ordered (id, position)
        WHERE step.workspace_id = ${scope} AND step.id = ordered.id AND step.position <> ordered.position`,
  );
}

/** Returns templates by ID, and locks them so that they are not deleted until the transaction ends. */
export async function lockTemplatesForShare(
  scope: WorkspaceScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<Template, 'subject' | 'body'>>> {
  const rows = await scope.query<Pick<Template, 'id' | 'subject' | 'body'>>(
    sql`SELECT id, subject, body FROM templates
        WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) ORDER BY id FOR KEY SHARE`,
  );
  return new Map(rows.map((template) => [template.id, template]));
}

/** Removes a template that is about to be deleted from all steps. */
export async function detachTemplateFromSteps(scope: WorkspaceScope, templateId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE campaign_steps SET template_id = NULL WHERE workspace_id = ${scope} AND template_id = ${templateId}`,
  );
}
