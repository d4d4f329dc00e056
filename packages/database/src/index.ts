export type { ConnectionCounts, ConnectionWatch } from './connections.js';
export { DailyPartitions } from './daily-partitions.js';
export {
  DatabaseUnavailable,
  isLockTimeout,
  isStatementTimeout,
  NodeUnavailable,
  onConstraint,
  onErrorCode,
  StatementTimedOut,
} from './database-errors.js';
export type { DelayedCommit } from './delayed-commit.js';
export { cheapest, costs, type ExplainedRow } from './estimated-costs.js';
export { batches, undoing } from './in-transaction.js';
export {
  currentTransaction,
  isHorizonReached,
  oldestOpenTransaction,
  oldestTransaction,
  oldestVisibleTransactionStart,
  type UnfinishedTransaction,
} from './open-transactions.js';
export { initialSession, type Session } from './session.js';
export { MAX_SNAPSHOT_MS, snapshotStream, type SnapshotSource, type SnapshotText } from './snapshot-stream.js';
export { inOneStatement, type StatementPart } from './statement-parts.js';
export { TenantDatabase } from './tenant-database.js';
export { requestLimits, SAMPLE_LIMITS, type TimeLimits } from './time-limits.js';
