export { startSampleCampaign } from './campaign/sample-campaign.js';
export { DemoFailed } from './demo-failed.js';
export { type DemoOptions, runDemo } from './run-demo.js';
export type { DemoService } from './temporary-service.js';
