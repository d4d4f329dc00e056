import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Template } from './template.entity.js';

const MAX_NAME_LENGTH = 255;
const COPY_SUFFIX = ' (Copy)';

/**
 * Inserts a copy of a template in one statement, so that a concurrent update cannot mix two versions.
 * @param name of the copy; by default that of the original, shortened if necessary, followed by " (Copy)"
 * @returns undefined if the template does not exist
 */
export async function insertCopy(
  scope: WorkspaceScope,
  id: number,
  name?: string | null,
): Promise<Template | undefined> {
  return scope.queryOne<Template>(
    sql`INSERT INTO templates (workspace_id, name, subject, body, category, variables, is_library, created_at, updated_at)
        SELECT workspace_id, coalesce(${name ?? null}, left(name,
          ${MAX_NAME_LENGTH - COPY_SUFFIX.length}) || ${COPY_SUFFIX}::text),
          subject, body, category, variables, is_library, ${scope.now}, ${scope.now}
        FROM templates WHERE workspace_id = ${scope} AND id = ${id}
        RETURNING *`,
  );
}

/** SQL that inserts the rows of the CTE `original` into the workspace, in the order of their `position`, and returns them. */
export const insertOriginals = (scope: WorkspaceScope, name: Sql): Sql =>
  sql`INSERT INTO templates (workspace_id, name, subject, body, category, variables, created_at, updated_at)
      SELECT ${scope}, left(${name}, ${MAX_NAME_LENGTH}), original.subject, original.body, original.category,
        original.variables, ${scope.now}, ${scope.now}
      FROM original ORDER BY original.position RETURNING *`;
