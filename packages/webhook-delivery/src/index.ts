export { type AttemptResult, attemptResult } from './attempt-result.js';
export { CircuitBreaker } from './circuit-breaker.js';
export { DELIVERY_HEADERS } from './delivery-headers.js';
export {
  type FailedAttempt,
  FAILURES_TO_DISABLE,
  openDelay,
  type Random,
  retryDelay,
  type RetrySchedules,
} from './retry-schedule.js';
export { type AttemptRequest, signedHeaders } from './signed-headers.js';
export { newSecret } from './signing-secret.js';
