export { Coalescer } from './coalescer.js';
export { DailyPartitions } from './daily-partitions.js';
export { Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { keptCount, KeptCounts } from './kept-counts.js';
export { RecordCount } from './record-count.entity.js';
export { containing, escapeLike, Sql, sql, SqlValue } from './sql.js';
export { onViolation, StatementTimedOut } from './violations.js';
export { Statistics } from './statistics.js';
