import { isLeaseOver, WORKER } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** For how long a worker that does not renew its lease keeps others from putting the clock forward. */
const CLOCK_LEASE_SECONDS = 5;

const LEASE_END = sql`${sql.realNow} + make_interval(secs => ${CLOCK_LEASE_SECONDS})`;

/** The condition that no live worker puts the row `clock` forward. */
export const isClockFree: Sql = sql`(clock.lease_until IS NULL OR ${isLeaseOver(sql`clock`)})`;

/** How far a clock is to be put forward: exactly one of them, in seconds from where it will be, or an instant. */
export type Advance = { readonly seconds: number } | { readonly to: Date };

/** SQL of the time of a clock that is so many milliseconds ahead, as its row says: a scope may have an earlier time. */
const timeOf = (aheadMs: Sql): Sql => sql.later(sql.realNow, sql`make_interval(secs => ${aheadMs} / 1000.0)`);

/** Returns the time of the workspace, and that to which its clock is being put forward; null if that is done. */
export async function readClock(scope: WorkspaceScope): Promise<{ now: Date; target: Date | null }> {
  const [clock] = await scope.query<{ now: Date; target: Date | null }>(
    sql`SELECT ${timeOf(sql`coalesce(max(ahead_ms), 0)`)} AS now, max(target) AS target
        FROM sandbox_clocks WHERE workspace_id = ${scope}`,
  );
  if (!clock) throw new Error('The time of a workspace is one row.');
  return clock;
}

/**
 * Stores to when the clock is to be put forward. If it is being put forward already, seconds count from the end of that,
 * as if the one was done after the other.
 */
export async function requestAdvance(scope: WorkspaceScope, advance: Advance): Promise<void> {
  const target = (before: Sql): Sql =>
    'to' in advance
      ? sql`greatest(${before}, ${advance.to}::timestamptz)`
      : sql.later(before, sql`make_interval(secs => ${advance.seconds})`);
  await scope.execute(
    sql`INSERT INTO sandbox_clocks AS clock (workspace_id, id, target) VALUES (${scope}, ${scope}, ${target(sql.realNow)})
        ON CONFLICT (workspace_id, id) DO UPDATE SET target = ${target(sql`coalesce(clock.target,
          ${timeOf(sql`clock.ahead_ms`)})`)},
          touched_at = CASE WHEN clock.target IS NULL THEN ${sql.realNow} ELSE clock.touched_at END
        WHERE clock.workspace_id = ${scope}`,
  );
}

export interface ClockPosition {
  /** How many milliseconds it is ahead of the real time. */
  readonly ahead_ms: number;
  readonly is_moving: boolean;
  /** Whether the scope has this time, too. */
  readonly is_known: boolean;
}

/** Returns where the clock of a workspace is, as its row says; at the real time if it has none. */
export async function readPosition(scope: WorkspaceScope): Promise<ClockPosition> {
  const known = sql`round(extract(epoch FROM ${scope.now} - ${sql.realNow}) * 1000)`;
  const [clock] = await scope.query<ClockPosition>(
    sql`SELECT ahead_ms, is_moving, ahead_ms = ${known} AS is_known FROM (
          SELECT coalesce(max(ahead_ms), 0) AS ahead_ms, coalesce(bool_or(target IS NOT NULL), FALSE) AS is_moving
          FROM sandbox_clocks WHERE workspace_id = ${scope}) clock`,
  );
  if (!clock) throw new Error('An aggregate has one row.');
  return clock;
}

/**
 * Puts a clock forward that has nothing to do on the way.
 * @param aheadMs where it was when there was nothing to do
 * @returns false if it is not there any more
 */
export async function jump(scope: WorkspaceScope, advance: Advance, aheadMs: number): Promise<boolean> {
  const ahead =
    'to' in advance
      ? sql`greatest(${aheadMs}::bigint, ceil(extract(epoch FROM ${advance.to}::timestamptz - ${sql.realNow}) * 1000)::bigint)`
      : sql`${aheadMs}::bigint + ${advance.seconds}::bigint * 1000`;
  const updated = await scope.execute(
    sql`INSERT INTO sandbox_clocks AS clock (workspace_id, id, ahead_ms) VALUES (${scope}, ${scope}, ${ahead})
        ON CONFLICT (workspace_id, id) DO UPDATE SET ahead_ms = ${ahead}
        WHERE clock.workspace_id = ${scope} AND clock.target IS NULL AND clock.ahead_ms = ${aheadMs}::bigint`,
  );
  return updated > 0;
}

export interface LeasedClock {
  readonly target: Date;
  /** How far it is ahead of the real time now. */
  readonly ahead_ms: number;
}

/** Leases the clock for this worker. @returns undefined if another one has it, or if it is where it should be */
export async function leaseClock(scope: WorkspaceScope): Promise<LeasedClock | undefined> {
  return scope.queryOne<LeasedClock>(
    sql`UPDATE sandbox_clocks clock SET leased_by = ${WORKER}, lease_until = ${LEASE_END}, touched_at = ${sql.realNow}
        WHERE clock.workspace_id = ${scope} AND clock.target IS NOT NULL AND (${isClockFree} OR clock.leased_by = ${WORKER})
        RETURNING clock.target, clock.ahead_ms`,
  );
}

/** Puts a leased clock forward. @returns whether this worker still has the lease */
export async function moveClock(scope: WorkspaceScope, byMs: number): Promise<boolean> {
  const updated = await scope.execute(
    sql`UPDATE sandbox_clocks clock SET ahead_ms = clock.ahead_ms + ${Math.max(0, Math.ceil(byMs))}, lease_until = ${LEASE_END}
        WHERE clock.workspace_id = ${scope} AND clock.leased_by = ${WORKER}`,
  );
  return updated > 0;
}

/** The clock has reached its target. @returns false if a request has set a later one meanwhile */
export async function finishAdvance(scope: WorkspaceScope): Promise<boolean> {
  const finished = await scope.execute(
    sql`UPDATE sandbox_clocks clock SET target = NULL, leased_by = NULL, lease_until = NULL
        WHERE clock.workspace_id = ${scope} AND clock.leased_by = ${WORKER} AND clock.target <= ${scope.now}`,
  );
  return finished > 0;
}

/** Lets every worker put the clock forward. */
export async function releaseClock(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`UPDATE sandbox_clocks clock SET leased_by = NULL, lease_until = NULL
        WHERE clock.workspace_id = ${scope} AND clock.leased_by = ${WORKER}`,
  );
}
