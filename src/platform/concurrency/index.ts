export { BackgroundSteps } from './background-steps.js';
export { RecentResult } from './recent-result.js';
export { FairQueue, type FairQueueLimits } from './fair-queue.js';
