export { containing, escapeLike, KnownIds, type Preparation, Sql, sql, SqlValue } from './sql.js';
