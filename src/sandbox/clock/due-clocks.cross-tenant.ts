import { Injectable } from '@nestjs/common';
import { MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isClockFree } from './sandbox-clock.queries.js';

/** The clocks of all sandboxes. */
@Injectable()
export class DueClocks {
  /** Clocks that no worker has put forward for a minute. */
  readonly untouched: UntouchedKeys;

  constructor(database: Database) {
    const earlier = sql`${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    this.untouched = new UntouchedKeys(database, () => sql`${WAITING} AND clock.touched_at <= ${earlier}`);
  }

  /** Selects clocks that are to be put forward and that no live worker puts forward; the workspaces take turns. */
  keys(workspaces: WorkspacesInTime): Sql {
    const workspace = sql`clock.workspace_id`;
    return sql`${WAITING}${workspaces.within(workspace)} ${workspaceRotation(workspace)}`;
  }
}

const WAITING = sql`SELECT clock.workspace_id, clock.id FROM sandbox_clocks clock
  WHERE clock.target IS NOT NULL AND ${isClockFree}`;
