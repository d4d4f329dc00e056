export { type AccountFacts, accountFacts, accountRules } from './account-rules.js';
export { type CampaignFacts, campaignRules, type ContactFacts, contactRules } from './campaign-rules.js';
export { EnrollmentTimingModule } from './enrollment-timing.module.js';
