export { QuotaCounters } from './quota-counters.js';
export { QuotaGuard } from './quota.guard.js';
export { QuotaModule } from './quota.module.js';
export { Quota, type RouteQuota, WORKSPACE_FACTOR } from './throttlers.js';
