export { AutoEnrollPass } from './auto-enrollment/auto-enroll-pass.entity.js';
export { AutoEnrollSource } from './auto-enrollment/auto-enroll-source.entity.js';
export { waitingPasses, type WaitingPasses } from './auto-enrollment/due-auto-enrollment.cross-tenant.js';
export { ChangedContact } from './auto-enrollment/changed-contact.entity.js';
export { CampaignCompletion } from './campaign/campaign-completion.service.js';
export {
  Campaign,
  CAMPAIGN_LANGUAGES,
  CampaignAccount,
  type CampaignLanguage,
  type CampaignStatus,
} from './campaign/campaign.entity.js';
export {
  type CampaignEvent,
  type CampaignsEvent,
  type EnrollmentsEnded,
  type EnrollmentsEvent,
  type EnrollmentsAtStep,
  type NewContactsChanged,
  type StepEvent,
} from './campaigns.events.js';
export { CampaignsModule, CampaignsWorkerModule } from './campaigns.module.js';
export { DueStep } from './enrollments/due-step.entity.js';
export { EnrollmentTransitions, type SentStep } from './enrollments/enrollment-transitions.service.js';
export { EnrollmentChange } from './enrollments/enrollment-change.entity.js';
export { enrollmentProgressView } from './enrollments/enrollment.view.js';
export { Enrollment, type EnrollmentStatus } from './enrollments/enrollment.entity.js';
export { RemovedEnrollment } from './enrollments/removed-enrollment.entity.js';
export { EnrollmentTiming, type NextSend, NOTHING_TO_SEND } from './enrollments/enrollment-timing.js';
export { type StartRefusal, startRefusals } from './start-refusals.js';
export { AUTO_ENROLLING } from './queues.js';
export { Step, type StepCondition } from './steps/step.entity.js';
export { ANY_ACCOUNT } from './steps/any-account.js';
export { iterateStepRecords, type StepOutline, stepsInOrder } from './steps/steps.queries.js';
export { StepVariant } from './steps/step-variant.entity.js';
export { drawnVariant, type StepRecord, stepRecords } from './steps/step-variants.queries.js';
export { CampaignProtection } from './protection/campaign-protection.service.js';
export { CampaignRates, SENT_MESSAGES } from './protection/campaign-rates.entity.js';
export { mayReachMinimum } from './protection/campaign-rates.queries.js';
export { dueAccount, planStepsAgain } from './steps/waiting-enrollments.queries.js';
