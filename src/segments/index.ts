export { type SegmentEvent } from './segment.events.js';
export { segmentDefinition } from './segment-counts.queries.js';
export { SegmentCount } from './segment-count.entity.js';
export { SegmentMembers } from './segment-members.js';
export { Segment } from './segment.entity.js';
export { SegmentsModule } from './segments.module.js';
