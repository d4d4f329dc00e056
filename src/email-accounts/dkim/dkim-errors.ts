import { getDomain } from 'tldts';
import { normalizeHost } from '@outreach/egress';
import type { FieldErrors } from '@outreach/http-errors';

/** The inputs that belong together: all three or none. */
export const DKIM_FIELDS = ['dkim_domain', 'dkim_selector', 'dkim_private_key'] as const;

/** The inputs of DKIM as a client sends them; null clears all. */
export interface DkimInput {
  readonly dkim_domain?: string | null | undefined;
  readonly dkim_selector?: string | null | undefined;
  readonly dkim_private_key?: string | null | undefined;
}

/** An account before the change. A new one has no DKIM domain. */
interface SigningAccount {
  readonly provider: { readonly signs: boolean; readonly name: string };
  readonly dkim_domain: string | null;
  readonly from_email?: string | undefined;
}

type Change = DkimInput & { readonly from_email?: string | undefined };

/** RFC 1035, 2.3.4. */
const MAX_NAME_LENGTH = 253;

/**
 * Returns the errors of the inputs of DKIM, for which the account after the change decides: it has all three or none, the
 * domain is that of its sender or one above it, and its provider does not sign itself.
 * @param isRefused whether the form of a field is wrong, so that it is missing in the input
 */
export function dkimErrors(account: SigningAccount, dto: Change, isRefused = (_: string) => false): FieldErrors {
  const entered = DKIM_FIELDS.filter((field) => typeof dto[field] === 'string' || isRefused(field));
  const { signs, name } = account.provider;
  if (signs) return errorsOf(entered, () => `${name} signs the messages of its accounts itself.`);
  if (entered.length > 0) {
    const others = entered.join(' and ');
    const errors = errorsOf(missingFields(account, dto, entered), (field) => `${field} is required with ${others}.`);
    if (Object.keys(errors).length > 0) return errors;
  } else if (isCleared(dto)) return {};
  return domainErrors(account, dto);
}

const isCleared = (dto: DkimInput): boolean => DKIM_FIELDS.some((field) => dto[field] === null);

/** Returns the inputs with null for all three if the change removes them. */
export function wholeDkim(dto: DkimInput): DkimInput {
  if (isCleared(dto)) return { dkim_domain: null, dkim_selector: null, dkim_private_key: null };
  const { dkim_domain: domain, dkim_selector, dkim_private_key } = dto;
  const dkim_domain = typeof domain === 'string' ? normalizeHost(domain) : domain;
  return { dkim_domain, dkim_selector, dkim_private_key };
}

const missingFields = (stored: SigningAccount, dto: DkimInput, entered: readonly string[]) =>
  DKIM_FIELDS.filter((field) => !entered.includes(field) && (dto[field] === null || stored.dkim_domain === null));

function errorsOf<Field extends string>(fields: readonly Field[], message: (field: Field) => string): FieldErrors {
  return Object.fromEntries(fields.map((field) => [field, [message(field)]]));
}

function domainErrors(stored: SigningAccount, dto: Change): FieldErrors {
  const domain = dto.dkim_domain ?? stored.dkim_domain;
  const sender = dto.from_email ?? stored.from_email;
  const isChanged = typeof dto.dkim_domain === 'string' || dto.from_email !== undefined;
  if (!isChanged || domain === null || sender === undefined || isSigningDomain(domain, sender)) return {};
  if (typeof dto.dkim_domain === 'string')
    return { dkim_domain: [`dkim_domain must be the domain of ${sender}, or one above it that can be registered.`] };
  const advice = 'Change dkim_domain, too, or set it to null.';
  return { from_email: [`Messages are signed for ${domain}, which is not a domain of this address. ${advice}`] };
}

/** Whether a domain is that of an address, or one above it; never a public suffix such as `co.uk`. */
function isSigningDomain(text: string, address: string): boolean {
  const domain = normalizeHost(text);
  const sender = normalizeHost(address.slice(address.lastIndexOf('@') + 1));
  if (domain === undefined || sender === undefined || getDomain(domain) === null) return false;
  return sender === domain || sender.endsWith(`.${domain}`);
}

/** RFC 6376, 3.1, with the underscores that some providers use. */
export const isSelector = (text: string): boolean =>
  text.length <= MAX_NAME_LENGTH &&
  /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)*$/i.test(text);
