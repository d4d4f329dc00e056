import { Company, CustomField, List, Tag } from '../contacts/index.js';
import { sql } from '../platform/database/index.js';
import type { FieldErrors } from '../platform/errors/index.js';
import type { EntityClass, WorkspaceEntity, WorkspaceScope } from '../platform/tenancy/index.js';
import {
  alternatives,
  compile,
  type CompiledSegment,
  type Condition,
  customKeyOf,
  type CustomFieldsByKey,
  conditionErrorOf,
  idOf,
  takesValue,
  testOf,
} from './conditions/index.js';
import type { Segment } from './segment.entity.js';

/** The conditions of a segment, and how they are joined. */
export type SegmentDefinition = Pick<Segment, 'match_type' | 'conditions'>;

/** Compiles segments to SQL, with the current custom fields of the workspace. */
export async function compileSegments(
  scope: WorkspaceScope,
  segments: readonly SegmentDefinition[],
): Promise<CompiledSegment[]> {
  const fields = await customFieldsOf(
    scope,
    segments.flatMap((segment) => segment.conditions),
  );
  return segments.map(({ conditions, match_type: matchType }) => {
    const groups = alternatives(conditions, matchType);
    return compile(
      scope,
      groups.map((group) => group.map((condition) => testOf(condition, fields))),
    );
  });
}

/** Returns the errors of conditions: `conditions.<n>.field`, `.operator` or `.value` → messages. Empty if all are valid. */
export async function conditionErrors(scope: WorkspaceScope, conditions: readonly Condition[]): Promise<FieldErrors> {
  const fields = await customFieldsOf(scope, conditions);
  const errors = conditions.flatMap((condition, index): [string, string[]][] => {
    const error = conditionErrorOf(condition, fields);
    return error ? [[`conditions.${index}.${error.part}`, [error.message]]] : [];
  });
  return { ...Object.fromEntries(errors), ...(await referenceErrors(scope, conditions)) };
}

const REFERENCES: readonly (readonly [string, EntityClass<WorkspaceEntity>])[] = [
  ['company_id', Company],
  ['tag_id', Tag],
  ['list_id', List],
];

async function referenceErrors(scope: WorkspaceScope, conditions: readonly Condition[]): Promise<FieldErrors> {
  const errors: [string, readonly string[]][] = [];
  for (const [field, entity] of REFERENCES) {
    const named = conditions.flatMap((condition, index) => {
      const isReference = condition.field === field && takesValue(condition.operator);
      const id = isReference ? idOf(condition.value ?? '') : undefined;
      return id === undefined ? [] : [{ id, index }];
    });
    const ids = named.map(({ id }) => id);
    const found = await scope.missingRecordErrors(entity, ids, (nth) => `conditions.${named[nth]?.index}.value`);
    errors.push(...Object.entries(found));
  }
  return Object.fromEntries(errors);
}

async function customFieldsOf(scope: WorkspaceScope, conditions: readonly Condition[]): Promise<CustomFieldsByKey> {
  const keys = new Set(conditions.flatMap(({ field }) => customKeyOf(field) ?? []));
  if (keys.size === 0) return new Map();
  const fields = await scope.of(CustomField).find({}, [sql`record.key = ANY(${[...keys]}::text[])`]);
  return new Map(fields.map(({ key, id, type }) => [key, { id, type }]));
}
