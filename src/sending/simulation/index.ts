export { SandboxDelay } from './sandbox-delay.entity.js';
export { SandboxMessage } from './sandbox-message.entity.js';
export { SandboxReaction } from './sandbox-reaction.entity.js';
export { SimulatedMailServer } from './simulated-mail-server.js';
export { dropOldMessages, SANDBOX_MESSAGE_DAYS } from './simulation.queries.js';
