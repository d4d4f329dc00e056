export { findUnauthenticated } from './domain-checks.queries.js';
export { DomainAuthentication } from './domain-checks.service.js';
export { emailAccountDomainView } from './domain.view.js';
export { StoredDomainCheck } from './stored-domain-check.entity.js';
