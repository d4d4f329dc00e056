export { Chore } from './chore.entity.js';
export { Chores, Every } from './chores.js';
export { Doorbell, type Lane } from './doorbell.js';
export { LaneProcessor, type LaneTools } from './lane-processor.js';
export { LEASE_SECONDS, LeaseKeeper, WORKER } from './lease-keeper.js';
export { prepareQueueStore, queueConnection, type QueueStore } from './queue-store.js';
export { ChoresModule, QueueModule } from './queue.module.js';
export { assertRedisAnswers } from './redis-check.js';
