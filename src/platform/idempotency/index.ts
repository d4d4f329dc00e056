export { ENCRYPTED_RESPONSES, IdempotencyStore, type ResponseTraces } from './idempotency-store.js';
export type { KeyPosition } from './erase-responses.queries.js';
export { IdempotencyKey } from './idempotency-key.entity.js';
export { IdempotencyInterceptor } from './idempotency.interceptor.js';
