import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CustomFieldType } from './custom-field.entity.js';
import { MAX_FIELDS } from './custom-field-values.js';

/**
 * Contacts whose values one statement removes. It locks rows for a tenth of a second; a million contacts take a minute.
 */
const CHUNK = 2000;

/** The types of those keys that are custom fields, and the number of all custom fields of the workspace. */
export async function findDefinitions(
  scope: WorkspaceScope,
  keys: readonly string[],
): Promise<{ readonly types: ReadonlyMap<string, CustomFieldType>; readonly fields: number }> {
  const found = await scope.query<{ key: string | null; type: CustomFieldType; fields: number }>(
    sql`SELECT field.key, field.type, counted.fields
        FROM (SELECT count(*) AS fields FROM custom_fields WHERE workspace_id = ${scope}) counted
        LEFT JOIN custom_fields field ON field.workspace_id = ${scope} AND field.key = ANY(${[...keys]}::text[])`,
  );
  const types = found.flatMap(({ key, type }) => (key === null ? [] : [[key, type] as const]));
  return { types: new Map(types), fields: found[0]?.fields ?? 0 };
}

/**
 * The types of those keys that are custom fields. Locks their rows until the transaction ends, so that no other
 * transaction deletes a field whose type this one relies on.
 */
export async function lockTypes(
  scope: WorkspaceScope,
  keys: readonly string[],
): Promise<ReadonlyMap<string, CustomFieldType>> {
  const fields = await scope.query<{ key: string; type: CustomFieldType }>(
    sql`SELECT key, type FROM custom_fields
        WHERE workspace_id = ${scope} AND key = ANY(${[...keys]}::text[]) ORDER BY key FOR KEY SHARE`,
  );
  return new Map(fields.map(({ key, type }) => [key, type]));
}

/** Lets only one transaction per workspace add custom fields at a time, because their number is limited. */
export async function lockDefinitions(scope: WorkspaceScope): Promise<void> {
  await scope.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', ${scope}))`);
}

/** Adds custom fields up to the workspace's limit. Call {@link lockDefinitions} first. @returns the keys of the added ones */
export async function insertFields(
  scope: WorkspaceScope,
  types: ReadonlyMap<string, CustomFieldType>,
): Promise<string[]> {
  const added = await scope.query<{ key: string }>(
    sql`INSERT INTO custom_fields (workspace_id, key, label, type, created_at, updated_at)
        SELECT ${scope}, missing.key, missing.key, missing.type, ${scope.now}, ${scope.now}
        FROM (SELECT wanted.*, row_number() OVER (ORDER BY wanted.key) AS position
              FROM unnest(${[...types.keys()]}::text[], ${[...types.values()]}::text[]) AS wanted (key, type)
              WHERE wanted.key <> ALL (ARRAY(SELECT key FROM custom_fields WHERE workspace_id = ${scope}))) missing
        WHERE missing.position <= ${MAX_FIELDS} - (SELECT count(*) FROM custom_fields WHERE workspace_id = ${scope})
        ORDER BY missing.key
        RETURNING key`,
  );
  return added.map(({ key }) => key);
}

/** @returns the keys of all custom fields of the workspace, in the order of the alphabet */
export async function customFieldKeys(scope: WorkspaceScope): Promise<string[]> {
  const fields = await scope.query<{ key: string }>(
    sql`SELECT key FROM custom_fields WHERE workspace_id = ${scope} ORDER BY key COLLATE "C"`,
  );
  return fields.map(({ key }) => key);
}

/** @returns the number of custom fields of the workspace */
export async function countFields(scope: WorkspaceScope): Promise<number> {
  const [counted] = await scope.query<{ fields: number }>(
    sql`SELECT count(*) AS fields FROM custom_fields WHERE workspace_id = ${scope}`,
  );
  return counted?.fields ?? 0;
}

export interface Erased {
  /** The last ID of this step; null if there are no more contacts. */
  readonly last: number | null;
  /** The IDs of the contacts that had a value. */
  readonly contacts: number[];
}

/**
 * Removes a key's values from the next contacts by ID.
 * @param after the last ID of the previous step, 0 for the first step
 */
export async function eraseChunk(scope: WorkspaceScope, key: string, after: number): Promise<Erased> {
  const [erased] = await scope.query<Erased>(
    sql`WITH chunk AS (
          SELECT id FROM contacts WHERE workspace_id = ${scope} AND id > ${after} ORDER BY id LIMIT ${CHUNK}
        ), erased AS (
          UPDATE contacts contact SET custom_fields = contact.custom_fields - ${key}::text, updated_at = ${scope.now}
          FROM chunk
          WHERE contact.workspace_id = ${scope} AND contact.id = chunk.id AND contact.custom_fields ? ${key}
          RETURNING contact.id
        )
        SELECT (SELECT max(id) FROM chunk) AS last, coalesce((SELECT array_agg(id) FROM erased), '{}') AS contacts`,
  );
  return erased ?? { last: null, contacts: [] };
}

/** Removes a key's values from all contacts. @returns the IDs of the contacts that had one */
export async function eraseAll(scope: WorkspaceScope, key: string): Promise<number[]> {
  return scope.queryIds(
    sql`UPDATE contacts SET custom_fields = custom_fields - ${key}::text, updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND custom_fields ? ${key} RETURNING id`,
  );
}
