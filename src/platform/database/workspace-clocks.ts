import type { QueryResultRow } from 'pg';
import { type Clock, wallClock } from '../clock/index.js';
import { type Sql, sql } from '@outreach/sql-fragments';

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

/** Reads the clocks of workspaces: a `Database`. */
export interface ClockReader {
  query<Row extends QueryResultRow>(statement: Sql): Promise<Row[]>;
}

/** Which workspaces a statement about several of them reads, and their time. */
export interface WorkspacesInTime {
  /** SQL for the current time of the workspace whose ID an SQL expression returns. */
  readonly now: (workspaceId: Sql) => Sql;
  /** A further condition of a `WHERE`, which begins with `AND`; empty for all workspaces. */
  readonly within: (workspaceId: Sql) => Sql;
}

/** All workspaces, as if each had the real time: what is due by it is also due by a clock that is ahead. */
export const allInRealTime: WorkspacesInTime = { now: () => sql.realNow, within: () => sql.empty };

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

  /** The current time of one workspace as it is stored: also in the transaction that puts its clock forward. */
  storedNowOf(_workspaceId: number): Sql {
    return sql.realNow;
  }

  /** The workspaces whose clocks are ahead of the real time; undefined if there are none. */
  get ahead(): WorkspacesInTime | undefined {
    return undefined;
  }

  /**
   * Reads the clock of one workspace, which another process may have put forward.
   * @returns undefined if the workspace has the real time for ever
   */
  refresh(_database: ClockReader, _workspaceId: number): Promise<void> | undefined {
    return undefined;
  }

  /** Reads the clocks of all workspaces, which other processes may have put forward. */
  refreshAll(_database: ClockReader): Promise<void> | undefined {
    return undefined;
  }
}
