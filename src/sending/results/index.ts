export { countSent, refundQuota } from './account-counts.queries.js';
export { cancelQueued } from './message-status.queries.js';
export { type MessageRecipient, RecipientEffects } from './recipient-effects.js';
export { setBounced, setComplained, setDelivered, setOnce, setUnsubscribed } from './reported-status.queries.js';
export { decideSend, isDeadAddress, type SendDecision } from './send-decision.js';
export { SendResults } from './send-results.js';
export { enrollmentsOf, idsOf, type UpdatedMessage } from './updated-message.js';
