export type { DkimNames, ExpectedKey } from './check-dkim.js';
export { checkDomain, type SenderDomain } from './check-domain.js';
export { check, CHECK_STATUSES, type CheckStatus, type DomainCheck, type DomainChecks } from './domain-check.js';
