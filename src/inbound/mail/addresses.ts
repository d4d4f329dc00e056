import { normalizeEmail } from '../../platform/http/fields/index.js';
import type { HeaderFields } from './header-fields.js';

/** The fields that name the mailboxes in which a mail was received, of senders, servers and forwarding rules. */
const RECIPIENT_FIELDS = [
  'to',
  'cc',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-forwarded-to',
  'x-forwarded-for',
];
const MAX_RECIPIENTS = 100;
/** How much of the fields is read. */
const MAX_LENGTH = 20_000;

const ADDRESS = /[^\s\p{Cc}<>,;:"()[\]@]{1,64}@[^\s\p{Cc}<>,;:"()[\]@]{1,255}/gu;

/** Returns the addresses in a field of addresses, as they are stored. */
export const addressesIn = (field: string): string[] =>
  (field.slice(0, MAX_LENGTH).match(ADDRESS) ?? []).map((address) => normalizeEmail(address));

/** Returns the addresses in whose mailboxes a mail may have been received, as they are stored: at most 100. */
export function recipientsOf(header: HeaderFields): string[] {
  const field = RECIPIENT_FIELDS.flatMap((name) => header.all(name)).join(', ');
  return [...new Set(addressesIn(field))].slice(0, MAX_RECIPIENTS);
}
