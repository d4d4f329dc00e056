export { QuotaCounter } from './quota-counter.entity.js';
export { Quota, QuotaGuard, type RouteQuota } from './quota.guard.js';
export { QuotaModule } from './quota.module.js';
