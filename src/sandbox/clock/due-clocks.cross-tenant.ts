import { Injectable } from '@nestjs/common';
import { type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isClockFree } from './sandbox-clock.queries.js';

/** The clocks of all sandboxes. */
@Injectable()
export class DueClocks {
  /** Selects clocks that are to be put forward and that no live worker puts forward; the workspaces take turns. */
  keys(workspaces: WorkspacesInTime): Sql {
    const workspace = sql`clock.workspace_id`;
    return sql`SELECT clock.workspace_id, clock.id FROM sandbox_clocks clock
      WHERE clock.target IS NOT NULL AND ${isClockFree}${workspaces.within(workspace)}
      ${workspaceRotation(workspace)}`;
  }
}
