export { DEFAULT_LIMITS, LIMIT_NAMES, type LimitName, type Limits, limitsSettings } from './limits.settings.js';
export { WorkspaceLimits } from './workspace-limits.js';
