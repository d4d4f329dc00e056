export { countSent, refundQuota } from './account-counts.queries.js';
export { LIMIT_AFTER_DEFERRED, NO_WAIT, type Wait } from '../rules/index.js';
export { lockCampaignWait } from './campaign-wait.js';
export {
  cancelQueued,
  CANCELLED_BY_MOVE,
  cancelWithoutStep,
  deleteQueued,
  planAgain,
  STEP_DELETED,
  returnedMessages,
} from './message-status.queries.js';
export { recorded } from './move.queries.js';
export { queueAgain, restartFailed } from './queue-again.queries.js';
export { RefusedAccounts } from './refused-accounts.js';
export { PendingResults } from './pending-results.js';
export { type MessageRecipient, RecipientEffects } from './recipient-effects.js';
export { setBounced, setComplained, setDelivered, setOnce, setUnsubscribed } from './reported-status.queries.js';
export {
  decideSend,
  decideUntaken,
  isSoftBounce,
  MAX_UNCERTAIN_ATTEMPTS,
  MAY_BE_ACCEPTED,
  type SendDecision,
} from './send-decision.js';
export { SendResults } from './send-results.js';
export type { SendTarget } from './send-target.js';
export { CHECK_NEXT, SendTransactions } from './send-transactions.js';
export { enrollmentsOf, idsOf, ofSteps, type UpdatedMessage } from './updated-message.js';
