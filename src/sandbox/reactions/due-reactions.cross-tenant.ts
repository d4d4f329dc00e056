import { Injectable } from '@nestjs/common';
import { type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isReactionDue } from './reactions.queries.js';

/** The sandboxes in which something is to follow after a message now. */
@Injectable()
export class DueReactions {
  /** Selects them as job keys; the workspaces take turns. A partial index contains the sandboxes only. */
  keys(workspaces: WorkspacesInTime): Sql {
    const workspace = sql`workspace.id`;
    return sql`SELECT ${workspace} AS workspace_id, ${workspace} AS id FROM workspaces workspace
      WHERE workspace.is_sandbox AND EXISTS (
        SELECT 1 FROM sandbox_reactions reaction
        WHERE reaction.workspace_id = ${workspace} AND ${isReactionDue(workspaces.now(workspace))})
        ${workspaces.within(workspace)}
      ${workspaceRotation(workspace)}`;
  }
}
