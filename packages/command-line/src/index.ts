export { parseId, parseLifetime } from './arguments.js';
export { endAfterSignal } from './end-after-signal.js';
export {
  type Check,
  CHECK_TIMEOUT_MS,
  type CheckOutcome,
  failure,
  type Finding,
  type FindingStatus,
  ok,
  runCheck,
  warning,
} from './finding.js';
export { showProgress } from './progress.js';
export { reasonOf } from './reason-of.js';
export { type CommandReport, type Output, writeReport } from './report.js';
export { runToEnd } from './run-to-end.js';
export { rejectAfter, untilStopSignal, waitForStopSignal, waitForUncaughtError } from './signals.js';
export { table } from './table.js';
