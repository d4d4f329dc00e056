export { TrackingEvent } from './events/tracking-event.entity.js';
export { TrackingDomain } from './hosts/tracking-domain.entity.js';
export { type LinkRequest, LinkRequests } from './link-requests.js';
export { TrackingModule } from './tracking.module.js';
