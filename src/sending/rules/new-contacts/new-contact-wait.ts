import { sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import type { Wait, WaitingMessage } from '../wait.js';
import { MAX_NEW_CONTACTS_REASON } from './new-contact-limit.js';
import { lockNewContacts, postponeNewContacts, reserveFor } from './new-contacts.queries.js';

/**
 * Returns how long a first message has to wait that has no place among the new contacts of the day. It gets one if one is
 * free; otherwise all due messages of its campaign that need one wait, too.
 */
export async function settleNewContact(
  tx: WorkspaceScope,
  { id, campaign_id: campaignId }: WaitingMessage & { readonly id: number },
  waitForOthers: () => Promise<Wait>,
): Promise<Wait> {
  // First, because the other lock on the campaign is a weaker one.
  const contacts = await lockNewContacts(tx, campaignId);
  const wait = await waitForOthers();
  if (!contacts || wait.reason !== null) return wait;
  if (await reserveFor(tx, contacts, id)) return wait;
  await postponeNewContacts(tx, contacts);
  return { reason: MAX_NEW_CONTACTS_REASON, until: () => sql`coalesce(${contacts.until}::timestamptz, 'infinity')` };
}
