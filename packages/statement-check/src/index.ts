export type { CheckedStatement } from './checked-statement.js';
export { CROSS_TENANT_MARK } from './nodes.js';
export { unscopedTables } from './unscoped-tables.js';
