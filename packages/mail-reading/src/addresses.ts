import { domainToASCII } from 'node:url';
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

/** Returns the addresses in a field of addresses, in lower case and with A-labels (RFC 5890, 2.3.2.1). */
export const addressesIn = (field: string): string[] =>
  (field.slice(0, MAX_LENGTH).match(ADDRESS) ?? []).map((address) => withALabels(address.toLowerCase()));

/** `info@münchen.example` → `info@xn--mnchen-3ya.example`. What is no domain stays as it is. */
const withALabels = (address: string): string =>
  address.replace(INTERNATIONAL_DOMAIN, (domain) => domainToASCII(domain).replace(/\.$/, '') || domain);

/** A domain with characters beyond ASCII, and none that `domainToASCII` takes for another part of a URL. */
const INTERNATIONAL_DOMAIN = /(?<=@)(?=.*[^\0-\x7f])[\w.\-\u{80}-\u{10ffff}]+$/u;

/** Returns the addresses in whose mailboxes a mail may have been received, at most 100. */
export function recipientsOf(header: HeaderFields): string[] {
  const field = RECIPIENT_FIELDS.flatMap((name) => header.all(name)).join(', ');
  return [...new Set(addressesIn(field))].slice(0, MAX_RECIPIENTS);
}
