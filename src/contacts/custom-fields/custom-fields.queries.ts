import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CustomFieldType } from './custom-field.entity.js';

export const MAX_FIELDS = 500;

/** Contacts whose values are removed at once: a tenth of a second of row locks. A million take a minute. */
const CHUNK = 2000;

/**
 * The types of those keys that are fields. The rows stay as they are until the transaction ends: a field whose type
 * was relied on is not deleted meanwhile.
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

/** One transaction of the workspace at a time adds fields: only so can their number be limited. */
export async function lockDefinitions(scope: WorkspaceScope): Promise<void> {
  await scope.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', ${scope}))`);
}

/** Adds fields as far as the workspace has room for them, under {@link lockDefinitions}. */
export async function insertFields(scope: WorkspaceScope, types: ReadonlyMap<string, CustomFieldType>): Promise<void> {
  await scope.execute(
    sql`INSERT INTO custom_fields (workspace_id, key, label, type)
        SELECT ${scope}, key, key, type
        FROM unnest(${[...types.keys()]}::text[], ${[...types.values()]}::text[]) AS wanted (key, type)
        WHERE NOT EXISTS (SELECT 1 FROM custom_fields field WHERE field.workspace_id = ${scope} AND field.key = wanted.key)
        ORDER BY key
        LIMIT greatest(0, ${MAX_FIELDS} - (SELECT count(*) FROM custom_fields WHERE workspace_id = ${scope}))`,
  );
}

export async function countFields(scope: WorkspaceScope): Promise<number> {
  const [counted] = await scope.query<{ fields: number }>(
    sql`SELECT count(*) AS fields FROM custom_fields WHERE workspace_id = ${scope}`,
  );
  return counted?.fields ?? 0;
}

/** A walk over the contacts by ID. */
export interface Erased {
  /** The last ID of this step; null when there are no more contacts. */
  readonly last: number | null;
  /** The IDs of those that had a value. */
  readonly contacts: number[];
}

/**
 * Removes a key's values from the next contacts by ID.
 * @param after the last ID of the step before, 0 at first
 */
export async function eraseChunk(scope: WorkspaceScope, key: string, after: number): Promise<Erased> {
  const [erased] = await scope.query<Erased>(
    sql`WITH chunk AS (
          SELECT id FROM contacts WHERE workspace_id = ${scope} AND id > ${after} ORDER BY id LIMIT ${CHUNK}
        ), erased AS (
          UPDATE contacts contact SET custom_fields = contact.custom_fields - ${key}::text FROM chunk
          WHERE contact.workspace_id = ${scope} AND contact.id = chunk.id AND contact.custom_fields ? ${key}
          RETURNING contact.id
        )
        SELECT (SELECT max(id) FROM chunk) AS last, coalesce((SELECT array_agg(id) FROM erased), '{}') AS contacts`,
  );
  return erased ?? { last: null, contacts: [] };
}

/** Removes a key's values from all contacts. @returns the IDs of those that had one */
export async function eraseAll(scope: WorkspaceScope, key: string): Promise<number[]> {
  const erased = await scope.query<{ id: number }>(
    sql`UPDATE contacts SET custom_fields = custom_fields - ${key}::text
        WHERE workspace_id = ${scope} AND custom_fields ? ${key} RETURNING id`,
  );
  return erased.map(({ id }) => id);
}
