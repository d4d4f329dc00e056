import { type Clock, wallClock } from '../clock/index.js';
import { type Sql, sql } from './sql.js';

/** The time of one workspace, for code and for SQL. */
export interface WorkspaceClock extends Clock {
  /**
   * SQL for the current time as a `timestamptz`. The fragment that it returns has the same value in all statements of a
   * transaction.
   */
  sqlNow(): Sql;
}

/** The real time: the clock of this computer, and PostgreSQL's `now()`. */
export const realClock: WorkspaceClock = { now: () => wallClock.now(), sqlNow: () => sql.realNow };

/** The clocks of all workspaces, which show the real time. A subclass can give a workspace a clock of its own (ADR 35). */
export class WorkspaceClocks {
  /** The clock of one workspace, which only goes forward. */
  clockOf(_workspaceId: number): WorkspaceClock {
    return realClock;
  }

  /**
   * The current time of the workspace whose ID an SQL expression returns, such as `campaign.workspace_id`: for
   * statements about all workspaces.
   */
  nowOf(_workspaceId: Sql): Sql {
    return sql.realNow;
  }
}
