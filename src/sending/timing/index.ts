export { type AccountFacts, accountFacts, accountRules, postponingRules } from './account-rules.js';
export {
  type CampaignFacts,
  campaignRules,
  type ContactFacts,
  contactReasons,
  contactRules,
} from './campaign-rules.js';
export { contactZones } from './contact-zones.queries.js';
export { EnrollmentTimingModule } from './enrollment-timing.module.js';
export { senderFacts, type SenderFacts } from './next-sends.queries.js';
