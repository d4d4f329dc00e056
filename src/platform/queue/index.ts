export { ScheduledTask } from './scheduled-task.entity.js';
export { TaskScheduler, Scheduled } from './task-scheduler.js';
export { JobQueue, type JobKey } from './job-queue.js';
export { workspaceRotation } from './workspace-rotation.js';
export { DrainProcessor, type DrainDependencies } from './drain-processor.js';
export { LEASE_SECONDS, LeaseRenewer, WORKER } from './lease-renewer.js';
export { prepareQueueStore, queueConnection, type QueueStore } from './queue-store.js';
export { SchedulerModule, QueueModule } from './queue.module.js';
export { assertRedisAvailable } from './redis-check.js';
