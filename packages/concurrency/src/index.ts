export { BackgroundSteps, convertSome, runSome } from './background-steps.js';
export { Batcher, type BatcherOptions } from './batcher.js';
export { FairQueue, type FairQueueLimits } from './fair-queue.js';
export { KeyActivity } from './key-activity.js';
export { MemoryQueue, type MemoryQueueLimits, type MemoryUse } from './memory-queue.js';
export { RecentResult } from './recent-result.js';
export { respondToTasks } from './respond-to-tasks.js';
export { TaskTerminated, type TaskReply, ThreadPool, type ThreadPoolLimits } from './thread-pool.js';
export type { LineLimit, WaitLimit } from './waiting-line.js';
