import { type Sql, sql } from '../database/index.js';

/** How many due keys a poll reads. Those that it leaves out are found by the next polls. */
const MAX_DUE_KEYS = 250;

/**
 * The end of a statement that selects due keys of all workspaces: a limited number of them, first one of each workspace,
 * then a second one of each, and so on. The order is random otherwise, so that every key is found by some poll.
 * @param workspaceId the column with the workspace of the key
 */
export const workspaceRotation = (workspaceId: Sql): Sql =>
  sql`ORDER BY row_number() OVER (PARTITION BY ${workspaceId} ORDER BY random()), random() LIMIT ${MAX_DUE_KEYS}`;
