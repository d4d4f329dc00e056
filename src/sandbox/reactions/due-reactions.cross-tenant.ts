import { type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isReactionDue } from './reactions.queries.js';

/**
 * Selects the sandboxes in which something is to follow after a message now, as job keys; they take turns. A partial index
 * contains the sandboxes only.
 */
export function dueReactions(workspaces: WorkspacesInTime): Sql {
  const [workspace, owner] = [sql`workspace.id`, sql`reaction.workspace_id`];
  const due = sql.byEngine(
    sql`workspaces workspace WHERE workspace.is_sandbox AND EXISTS (
        SELECT 1 FROM sandbox_reactions reaction
        WHERE reaction.workspace_id = ${workspace} AND ${isReactionDue(workspaces.now(workspace))})`,
    // Nodes have these rows of their own workspaces, and a copy of all workspaces.
    sql`(SELECT DISTINCT ${owner} AS id FROM sandbox_reactions reaction
        WHERE ${isReactionDue(workspaces.now(owner))}) workspace WHERE TRUE`,
  );
  return sql`SELECT ${workspace} AS workspace_id, ${workspace} AS id FROM ${due}${workspaces.within(workspace)}
      ${workspaceRotation(workspace)}`;
}
