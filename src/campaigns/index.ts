export { Campaign, CampaignAccount, type CampaignStatus } from './campaign.entity.js';
export { Enrollment, type EnrollmentStatus, RUNNING } from './enrollments/enrollment.entity.js';
export { type Schedule } from './schedule.js';
export { Step } from './steps/step.entity.js';
