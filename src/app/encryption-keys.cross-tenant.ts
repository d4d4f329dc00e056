import { sql } from '../platform/database/index.js';
import { HASH_PREFIX } from '../platform/keyed-hash/index.js';

/** SQL of whether something is stored that cannot be read or recognised without the keys with which it was made. */
export const keyIsNeeded = sql`(EXISTS (SELECT 1 FROM contact_refusals)
  OR EXISTS (SELECT 1 FROM blacklist_entries WHERE email LIKE ${`${HASH_PREFIX}%`})
  OR EXISTS (SELECT 1 FROM email_accounts)
  OR EXISTS (SELECT 1 FROM webhooks))`;
