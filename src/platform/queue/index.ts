export { ScheduledTask } from './scheduled-task.entity.js';
export { TaskScheduler, Scheduled } from './task-scheduler.js';
export {
  type ClockRetention,
  type ClockWork,
  ClockWorks,
  type ClockWorkState,
  ExpiresByClock,
  GoesByClock,
} from './clock-work.js';
export { type DuePoll, DueWorkPoller, PollsDueWork } from './due-work-poller.js';
export { JobQueue, jobIdOf, type JobKey } from './job-queue.js';
export { workspaceRotation } from './workspace-rotation.js';
export { DrainPlace } from './drain-place.js';
export { DrainProcessor, type DrainDependencies, drainOptions } from './drain-processor.js';
export { LEASE_SECONDS, LeaseRenewer, renewRows, WORKER } from './lease-renewer.js';
export { countWorkers, hasSession, isLeaseOver, isOnlyWorker, WorkerSession } from './worker-session.js';
export { prepareQueueStore, queueConnection, type QueueStore } from './queue-store.js';
export { SchedulerModule, QueueModule } from './queue.module.js';
export { MAX_UNTOUCHED_SECONDS, StallCheck } from './stall-check.js';
export { UntouchedKeys } from './untouched-keys.js';
export { ReportsStall, WorkProgress } from './work-progress.js';
