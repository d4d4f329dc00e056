import { MAX_UNTOUCHED_SECONDS } from '@outreach/job-queue';
import { sql, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isClockFree } from './sandbox-clock.queries.js';

const WAITING = sql`SELECT clock.workspace_id, clock.id FROM sandbox_clocks clock
  WHERE clock.target IS NOT NULL AND ${isClockFree}`;

/** Selects clocks that are to be put forward and that no live worker puts forward; the workspaces take turns. */
export const dueClocks = (workspaces: WorkspacesInTime): Sql =>
  sql`${WAITING}${workspaces.within(sql`clock.workspace_id`)} ${workspaceRotation(sql`clock.workspace_id`)}`;

/** Selects clocks that no worker has put forward for a minute. */
export const untouchedClocks = (): Sql =>
  sql`${WAITING} AND clock.touched_at <= ${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
