export { EndedWindows } from './ended-windows.js';
export { FallbackWindows } from './fallback-windows.js';
export { PostgresWindows } from './postgres-windows.js';
export { QuotaCounter } from './quota-counter.entity.js';
export { RedisWindows } from './redis-windows.js';
export { BatchedWindows, type WindowState, type WindowStore } from './windows.js';
