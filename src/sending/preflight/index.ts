export { PreflightController } from './preflight.controller.js';
export { CampaignPreflight } from './preflight.service.js';
