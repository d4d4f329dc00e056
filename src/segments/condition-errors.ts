import { setImmediate } from 'node:timers/promises';
import type { FieldErrors } from '@outreach/http-errors';
import type { InputCheck } from '@outreach/http-api/validation';
import { Company, customFieldKeys, List, Tag } from '../contacts/index.js';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../platform/tenancy/index.js';
import {
  conditionErrorsOf,
  type ConditionInput,
  customKeyOf,
  findField,
  idOf,
  takesValue,
} from './conditions/index.js';
import { customFieldsOf } from './segment-compiler.js';
import { Segment } from './segment.entity.js';

interface PlacedCondition {
  readonly path: string;
  readonly condition: ConditionInput;
}

/**
 * Returns the errors of the conditions of a segment that depend on the workspace: `conditions.<n>.field`, `.operator` or
 * `.value` → messages. A condition that the segment already has may refer to a tag, list, company or custom field that
 * was deleted, so that a segment can be written back.
 */
export const conditionErrors: InputCheck<{ readonly conditions?: readonly ConditionInput[] }> = async (
  { conditions = [] },
  { context, pathOf },
) => {
  const stored = new Set(context.record(Segment)?.conditions.map(keyOf));
  const placed = conditions.flatMap((condition, index): PlacedCondition[] =>
    condition ? [{ path: pathOf(`conditions.${index}`), condition }] : [],
  );
  const fields = await customFieldsOf(
    context.scope,
    placed.map(({ condition }) => condition),
  );
  const unknown = placed.some(({ condition: { field = '' } }) => customKeyOf(field) && !findField(field, fields));
  const customKeys = unknown ? await customFieldKeys(context.scope) : [];
  const isStored = ({ condition }: PlacedCondition): boolean => stored.has(keyOf(condition));
  const errors: (readonly [string, readonly string[]])[] = [];
  for (const each of placed) {
    const found = conditionErrorsOf(each.condition, fields, customKeys);
    const shown = found.filter(({ part }) => part !== 'field' || !isStored(each));
    errors.push(...shown.map(({ part, message }) => [`${each.path}.${part}`, [message]] as const));
    // Other requests get their turn: finding the most similar one of 500 custom fields takes some milliseconds.
    if (unknown) await setImmediate();
  }
  const added = placed.filter((each) => !isStored(each));
  return { ...Object.fromEntries(errors), ...(await referenceErrors(context.scope, added)) };
};

const keyOf = ({ field, operator, value }: ConditionInput): string => JSON.stringify([field, operator, value ?? null]);

const REFERENCES: readonly (readonly [string, EntityClass<WorkspaceEntity>])[] = [
  ['company_id', Company],
  ['tag_id', Tag],
  ['list_id', List],
];

async function referenceErrors(scope: WorkspaceScope, conditions: readonly PlacedCondition[]): Promise<FieldErrors> {
  const errors: (readonly [string, readonly string[]])[] = [];
  for (const [field, entity] of REFERENCES) {
    const references = conditions.flatMap(({ path, condition }) => {
      const { operator, value } = condition;
      const isReference = condition.field === field && (operator === undefined || takesValue(operator));
      const id = isReference ? idOf(value ?? '') : undefined;
      return id === undefined ? [] : [{ id, path: `${path}.value` }];
    });
    const ids = references.map(({ id }) => id);
    const found = await scope.missingRecordErrors(entity, ids, (nth) => references[nth]?.path ?? '');
    errors.push(...Object.entries(found));
  }
  return Object.fromEntries(errors);
}
