export { CampaignPreflightController } from './campaign-preflight.controller.js';
export { CampaignPreflight } from './campaign-preflight.service.js';
