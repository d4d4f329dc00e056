export { Batcher, type BatcherOptions } from './batcher.js';
export { DailyPartitions } from './daily-partitions.js';
export { cheapest, costs, type ExplainedRow } from './estimated-costs.js';
export { batches, undoing } from './in-transaction.js';
export { Database } from './database.js';
export type { DelayedCommit } from './delayed-commit.js';
export { DatabaseModule } from './database.module.js';
export { addCounts, cachedCount, CounterCache, deleteCounts, hasCountsToMerge } from './counter-cache.js';
export { RecordCount } from './record-count.entity.js';
export { ConstraintNames } from './constraint-names.js';
export {
  currentTransaction,
  isHorizonReached,
  oldestOpenTransaction,
  oldestTransaction,
  oldestVisibleTransactionStart,
  type UnfinishedTransaction,
} from './open-transactions.js';
// `sql.realNow` is for leases of workers, tokens, and what does not belong to a workspace. The time of a workspace is
// `scope.now`, or `database.nowOf(…)` in a statement about all workspaces.
export { containing, escapeLike, KnownIds, NodesValue, Sql, sql, SqlValue } from '@outreach/sql-fragments';
export {
  DatabaseUnavailable,
  isLockTimeout,
  isStatementTimeout,
  onViolation,
  StatementTimedOut,
} from './violations.js';
export { Statistics } from './statistics.js';
export { requestLimits, SAMPLE_LIMITS, type TimeLimits } from './time-limits.js';
export {
  allInRealTime,
  type ClockReader,
  realClock,
  type WorkspaceClock,
  WorkspaceClocks,
  type WorkspacesInTime,
} from './workspace-clocks.js';
