import { is } from '../platform/http/index.js';

export const MEMBERS_ADDED = is.shape('MembersAdded', { added: is.integer, skipped: is.integer });
export const MEMBERS_REMOVED = is.shape('MembersRemoved', { removed: is.integer, not_found: is.integer });
