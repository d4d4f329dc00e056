import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/**
 * SELECT of the contact with an ID, or of the next one: the caller compares the ID. The order makes PostgreSQL use the primary
 * key, whatever its statistics are. If they do not know the workspace, or `contacts` was analyzed while its rows were not
 * committed, all indexes seem to cost the same, and it would read all contacts of the workspace.
 */
export const contactFrom = (scope: WorkspaceScope, id: Sql): Sql =>
  sql`SELECT contact.* FROM contacts contact WHERE contact.workspace_id = ${scope} AND contact.id >= ${id}
      ORDER BY contact.workspace_id, contact.id LIMIT 1`;
