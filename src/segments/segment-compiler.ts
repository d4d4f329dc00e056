import { CustomField } from '../contacts/index.js';
import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import {
  alternatives,
  compile,
  type CompiledSegment,
  customKeyOf,
  type CustomFieldsByKey,
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

/** Returns the custom fields that conditions name, those that exist. */
export async function customFieldsOf(
  scope: WorkspaceScope,
  conditions: readonly { readonly field?: string | undefined }[],
): Promise<CustomFieldsByKey> {
  const keys = new Set(conditions.flatMap(({ field }) => customKeyOf(field ?? '') ?? []));
  if (keys.size === 0) return new Map();
  const fields = await scope.of(CustomField).find({}, [sql`record.key = ANY(${[...keys]}::text[])`]);
  return new Map(fields.map(({ key, id, type }) => [key, { id, type }]));
}
