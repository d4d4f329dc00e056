export { MessageHit } from './hits/message-hit.entity.js';
export { TrackingModule } from './tracking.module.js';
