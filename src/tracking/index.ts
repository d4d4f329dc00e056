export { TrackingEvent } from './events/tracking-event.entity.js';
export { TrackingModule } from './tracking.module.js';
