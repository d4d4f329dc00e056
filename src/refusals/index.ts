export { classifyRefusal } from './classify-refusal.js';
export type { ClassifiedRefusal, RefusalCause, RefusalPhase, ServerWords } from './refusal.js';
