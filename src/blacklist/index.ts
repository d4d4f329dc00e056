export { BLACKLIST_REASONS, BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';
export { blacklistEntryView } from './blacklist.view.js';
export { BlacklistModule } from './blacklist.module.js';
export { Blacklist } from './blacklist.service.js';
export { GlobalBlacklist } from './global-blacklist.cross-tenant.js';
