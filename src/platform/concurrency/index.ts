export { BackgroundSteps, convertSome, runSome } from './background-steps.js';
export { RecentResult } from './recent-result.js';
export { FairQueue } from './fair-queue.js';
export { FAIR_QUEUES } from './fair-queues.js';
export { MemoryQueue, type MemoryQueueLimits, type MemoryUse } from './memory-queue.js';
export { respondToTasks } from './respond-to-tasks.js';
export { type EventTransitions, stateAfter, type Transitions } from './transitions.js';
export { TaskTerminated, ThreadPool, type ThreadPoolLimits } from './thread-pool.js';
export { WorkspaceActivity } from './workspace-activity.js';
