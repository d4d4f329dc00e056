export { BackgroundSteps, convertSome, runSome } from './background-steps.js';
export { FAIR_QUEUES } from './fair-queues.js';
export { type EventTransitions, stateAfter, type Transitions } from './transitions.js';
export { WorkspaceActivity } from './workspace-activity.js';
