export { Batcher } from './batcher.js';
export { DailyPartitions } from './daily-partitions.js';
export { Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { cachedCount, CounterCache } from './counter-cache.js';
export { RecordCount } from './record-count.entity.js';
export { containing, escapeLike, Sql, sql, SqlValue } from './sql.js';
export { onViolation, StatementTimedOut } from './violations.js';
export { Statistics } from './statistics.js';
