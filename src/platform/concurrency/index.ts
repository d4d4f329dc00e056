export { FAIR_QUEUES } from './fair-queues.js';
export { type EventTransitions, stateAfter, type Transitions } from './transitions.js';
