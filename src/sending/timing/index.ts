export { EnrollmentTimingModule } from './enrollment-timing.module.js';
export { senderFacts, type SenderFacts } from './next-sends.queries.js';
