export {
  type ClockRetention,
  type ClockWork,
  ClockWorks,
  type ClockWorkState,
  ExpiresByClock,
  GoesByClock,
} from './clock-work.js';
export { DrainProcessor, type DrainDependencies } from './drain-processor.js';
export { QueueMetrics } from './queue-metrics.js';
export { workspaceRotation } from './workspace-rotation.js';
export { jobIdOf, WorkspaceWork } from './workspace-work.js';
