export { BLACKLIST_REASONS, BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';
