export { classifyRefusal } from './classify-refusal.js';
export type { ClassifiedRefusal, RefusalCause, RefusalPhase, ServerWords } from './refusal.js';
export { refusalSignature } from './refusal-text.js';
export { enhancedCodeIn } from './status-codes.js';
