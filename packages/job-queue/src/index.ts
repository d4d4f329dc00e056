export { DrainPlace } from './drain-place.js';
export { type DuePoll, DueWorkPoller, POLL_TASK, PollsDueWork } from './due-work-poller.js';
export { drainOptions, DueWorkProcessor, type ProcessorDependencies } from './due-work-processor.js';
export { DueWorkHost, type JobKey, type PollRange } from './due-work-host.js';
export { JobQueue, QUEUES } from './job-queue.js';
export { LEASE_SECONDS, LeaseRenewer, renewRows, WORKER } from './lease-renewer.js';
export { prepareQueueTables, type NamedQueueStore, type QueueStore } from './queue-store.js';
export { QueueModule, SchedulerModule } from './queue.module.js';
export { ScheduledTask } from './scheduled-task.entity.js';
export { MAX_UNTOUCHED_SECONDS, StallCheck } from './stall-check.js';
export { Scheduled, TaskScheduler } from './task-scheduler.js';
export { UntouchedKeys } from './untouched-keys.js';
export { ReportsStall, WorkProgress } from './work-progress.js';
export {
  countWorkers,
  hasSession,
  isLeaseOver,
  isOnlyWorker,
  MAX_STALL_SECONDS,
  sessionsReadAt,
  WorkerSession,
} from './worker-session.js';
