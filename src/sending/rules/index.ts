export { Absence } from './absence/absence.entity.js';
export { Absences } from './absence/absences.service.js';
export { ACCOUNT_REFUSED, NO_ACCOUNT } from './account-off/account-off.rule.js';
export {
  type AccountFacts,
  accountFacts,
  accountRules,
  addAccounts,
  afterSending,
  blockedUntil,
  boundBy,
  claimSize,
  compareAccounts,
  blockingReason,
  isBlocked,
  isOneByOne,
  isRefundable,
  isRefunded,
  isReservedFor,
  noteSent,
  noteUncertain,
  postponingRules,
  refund,
  TEST_REFUSALS,
  reservations,
  reservedOn,
  simulatedCapacity,
  simulatedInterval,
  unstoredReason,
} from './account-rules.js';
export { CHECKING_SENT_MAIL } from './checking-sent-mail/checking-sent-mail.rule.js';
export {
  campaignRules,
  checkedColumns,
  claimedFacts,
  type ContactFacts,
  contactReasons,
  contactRules,
  enrolledFacts,
  factTables,
  isOfStep,
  isReservedAt,
  isUnchanged,
  limitedBy,
  lockContactFacts,
  lockPlanningLimits,
  minDelay,
  nextPlannings,
  refunds,
  RELEASED_BY_CHANGE,
  repeatedFacts,
  simulatedLimits,
  type StartFacts,
  startRules,
  UNPLANNED_STEPS,
} from './contact-rules.js';
export { campaignDay } from './campaign-day.js';
export { dailyCapacity } from './daily-limit/daily-limit.js';
export { isSending } from './gap/gap.queries.js';
export { NewContactCount } from './new-contacts/new-contact-count.entity.js';
export {
  endLimits,
  LIMIT_AFTER_DEFERRED,
  limitAccount,
  limitAccountOf,
  noteDeferred,
  PROVIDER_LIMIT,
  waitForLimit,
} from './provider-limit/provider-limit.queries.js';
export { makeDue } from './release.queries.js';
export { campaignFacts, type CampaignFacts, type PlanningLimit, type SimulatedLimit } from './rule.js';
export { RuleEffects } from './rule-effects.js';
export { RULES, rulesOf, type WaitReason } from './rules.js';
export { afterStop, isWaitReason, repeatedConditions, stopConditions } from './stops.js';
export { TEMPORARY_FAILURE, temporaryFailure } from './temporary-failure/temporary-failure.rule.js';
export { NO_WAIT, type Wait, type WaitingMessage, waitOf } from './wait.js';
