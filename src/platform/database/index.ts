export { Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { addCounts, cachedCount, CounterCache, deleteCounts, hasCountsToMerge } from './counter-cache.js';
export { RecordCount } from './record-count.entity.js';
export { ConstraintNames } from './constraint-names.js';
// `sql.realNow` is for leases of workers, tokens, and what does not belong to a workspace. The time of a workspace is
// `scope.now`, or `database.nowOf(…)` in a statement about all workspaces.
export { containing, escapeLike, KnownIds, NodesValue, Sql, sql, SqlValue } from '@outreach/sql-fragments';
export { onViolation } from './violations.js';
export { Statistics } from './statistics.js';
export {
  allInRealTime,
  type ClockReader,
  realClock,
  type WorkspaceClock,
  WorkspaceClocks,
  type WorkspacesInTime,
} from './workspace-clocks.js';
