import { is } from '@outreach/http-api/responses';

export const MEMBERS_ADDED = is.shape('MembersAdded', {
  /** How many contacts were added. */
  added: is.integer,
  /** How many of the contacts were members already. */
  skipped: is.integer,
});
export const MEMBERS_REMOVED = is.shape('MembersRemoved', {
  /** How many contacts were removed. */
  removed: is.integer,
  /** How many IDs are not those of members. */
  not_found: is.integer,
});
