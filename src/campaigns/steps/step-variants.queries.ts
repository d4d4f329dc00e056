import { type Sql, sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { Step } from './step.entity.js';
import type { StepVariant } from './step-variant.entity.js';

export type ShownVariant = Pick<StepVariant, 'id' | 'name' | 'weight' | 'subject' | 'body'>;
/** A step with its variants, in their order. */
export type StepRecord = Step & { readonly variants: readonly ShownVariant[] };

export type VariantContent = Omit<ShownVariant, 'id'>;

/** A repository of the steps with their variants. */
export const stepRecords = (scope: WorkspaceScope): ScopedRepository<Step, Pick<StepRecord, 'variants'>> =>
  scope.of(Step).withColumns(sql`, coalesce((
    SELECT jsonb_agg(jsonb_build_object('id', variant.id, 'name', variant.name, 'weight', variant.weight,
      'subject', variant.subject, 'body', variant.body) ORDER BY variant.position)
    FROM step_variants variant WHERE variant.workspace_id = ${scope} AND variant.step_id = record.id), '[]') AS variants`);

/** The variants of one step: a variant with an ID replaces that one, the others are new. */
interface StepVariants {
  readonly step_id: number;
  readonly variants: readonly (VariantContent & { readonly id: number | null })[];
}

/** Inserts and updates variants, in this order from position 1. */
export async function saveVariants(scope: WorkspaceScope, steps: readonly StepVariants[]): Promise<void> {
  const rows = steps.flatMap(({ step_id, variants }) =>
    variants.map((variant, index) => ({ ...variant, step_id, position: index + 1 })),
  );
  if (rows.length === 0) return;
  await scope.execute(
    sql`WITH input AS (
          SELECT * FROM unnest(
            ${rows.map(({ id }) => id)}::bigint[], ${rows.map((row) => row.step_id)}::bigint[],
            ${rows.map(({ position }) => position)}::smallint[], ${rows.map(({ name }) => name)}::text[],
            ${rows.map(({ weight }) => weight)}::smallint[], ${rows.map(({ subject }) => subject)}::text[],
            ${rows.map(({ body }) => body)}::text[]) AS input (id, step_id, position, name, weight, subject, body)
        ), updated AS (
          UPDATE step_variants variant SET position = input.position, name = input.name, weight = input.weight,
            subject = input.subject, body = input.body, updated_at = ${scope.now}
          FROM input WHERE variant.workspace_id = ${scope} AND variant.id = input.id AND variant.step_id = input.step_id
        )
        INSERT INTO step_variants (workspace_id, step_id, position, name, weight, subject, body, created_at, updated_at)
        SELECT ${scope}, step_id, position, name, weight, subject, body, ${scope.now}, ${scope.now}
        FROM input WHERE id IS NULL ORDER BY step_id, position`,
  );
}

export async function deleteOtherVariants(
  scope: WorkspaceScope,
  stepId: number,
  ids: readonly number[],
): Promise<void> {
  await scope.execute(
    sql`DELETE FROM step_variants
        WHERE workspace_id = ${scope} AND step_id = ${stepId} AND id <> ALL(${[...ids]}::bigint[])`,
  );
}

/**
 * SQL expression: the ID of the variant of a step that an enrollment draws, by weight; null if the step has none. It depends
 * on nothing but the IDs of both and the variants as they are now.
 */
export const drawnVariant = (scope: WorkspaceScope, enrollmentId: Sql, stepId: Sql): Sql => sql`(
  SELECT share.id FROM (
    SELECT variant.id, sum(variant.weight) OVER (ORDER BY variant.position) AS upper, sum(variant.weight) OVER () AS total
    FROM step_variants variant
    WHERE variant.workspace_id = ${scope} AND variant.step_id = ${stepId} AND variant.weight > 0) share
  WHERE share.upper > (hashint8extended(${enrollmentId}, ${stepId}) & 4611686018427387903) % share.total
  ORDER BY share.upper LIMIT 1)`;
