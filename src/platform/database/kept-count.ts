import { type Sql, sql, type SqlValue } from './sql.js';

/**
 * How many rows of a table a workspace has, or one owner in it: read, not counted.
 * @param counted a table whose rows are counted, see `RecordCount`
 * @param owner the list, tag or campaign whose rows are meant; 0 for the whole workspace
 */
export const keptCount = (workspace: SqlValue, counted: string, owner: Sql = sql`0`): Sql =>
  sql`(SELECT coalesce(sum(kept.total), 0)::bigint FROM record_counts kept
       WHERE kept.workspace_id = ${workspace} AND kept.counted = ${counted} AND kept.owner_id = ${owner})`;
