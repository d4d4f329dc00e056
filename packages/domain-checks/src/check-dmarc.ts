import { getDomain } from 'tldts';
import type { DnsQueries } from '@outreach/egress';
import { check, type DomainCheck, unanswered } from './domain-check.js';
import { tagsOf } from './tags.js';

const POLICIES = ['none', 'quarantine', 'reject'];

/** Whether a TXT record is one of DMARC (RFC 7489, 6.3): its version comes first. */
const isDmarc = (text: string): boolean => /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);

/**
 * Checks the DMARC record of a domain (RFC 7489, 6.6.3): its own, else that of its organizational domain, which the public
 * suffix list says.
 */
export async function checkDmarc(dns: DnsQueries, domain: string): Promise<DomainCheck> {
  const own = await recordsOf(dns, domain);
  if (own === undefined) return unanswered(`_dmarc.${domain}`);
  const organization = getDomain(domain, { allowPrivateDomains: true });
  if (own.length > 0 || organization === null || organization === domain) return dmarcStatus(own, domain, false);
  const inherited = await recordsOf(dns, organization);
  return inherited === undefined ? unanswered(`_dmarc.${organization}`) : dmarcStatus(inherited, organization, true);
}

async function recordsOf(dns: DnsQueries, domain: string): Promise<readonly string[] | undefined> {
  const found = await dns.txt(`_dmarc.${domain}`);
  if (found.kind === 'unavailable') return undefined;
  return found.kind === 'none' ? [] : found.records.filter(isDmarc);
}

/** @param isInherited whether it is the record of the organizational domain */
function dmarcStatus(records: readonly string[], domain: string, isInherited: boolean): DomainCheck {
  const name = `_dmarc.${domain}`;
  const [text] = records;
  if (text === undefined)
    return check(
      'fail',
      [],
      `There is no DMARC record at ${name}. Publish one such as “v=DMARC1; p=none; rua=mailto:…”.`,
    );
  if (records.length > 1)
    return check(
      'fail',
      records,
      `${name} has ${records.length} DMARC records, so receivers use none of them. Delete all but one.`,
    );
  const tags = tagsOf(text);
  const policy = policyOf(tags, isInherited);
  if (policy === undefined) return check('fail', records, `The DMARC record at ${name} has no valid policy “p”.`);
  if (policy === 'none')
    return check(
      'warn',
      records,
      `The policy of ${name} is “none”: receivers only report. Continue with “quarantine”.`,
    );
  return check('pass', records, `The policy of ${name} is “${policy}”.`);
}

/** Without a valid policy, a record with an address for reports means `none` (RFC 7489, 6.6.3). */
function policyOf(tags: ReadonlyMap<string, string>, isInherited: boolean): string | undefined {
  const own = valid(tags.get('p'));
  const forSubdomains = tags.has('sp') ? valid(tags.get('sp')) : own;
  const policy = isInherited ? forSubdomains : own;
  if (own !== undefined && policy !== undefined) return policy;
  return /(^|,)\s*mailto:/i.test(tags.get('rua') ?? '') ? 'none' : undefined;
}

const valid = (policy: string | undefined): string | undefined =>
  POLICIES.find((known) => known === policy?.toLowerCase());
