export { RecentResult } from './recent-result.js';
export { FairQueue, type FairQueueLimits } from './fair-queue.js';
export { KeyedSemaphore, Semaphore } from './semaphore.js';
