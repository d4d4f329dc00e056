export { type EarliestInstant, earliestInstant, notBefore, type TimingRule } from './earliest-instant.js';
export { insideSchedule, nextSlot, type Schedule, scheduleFor } from './schedule.js';
